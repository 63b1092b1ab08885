import { type Language, stem } from '../../text/languages.ts';
import { wordsOf } from '../../text/words.ts';
import { type Kind, kindTerm } from '../kinds.ts';

/**
 * The words of customers of any business: `asked` are words and phrases of questions (a phrase matches if all of its
 * words occur in order), `meant` the articles' words for them. A word of `meant` counts as asked too. With `#`, a kind
 * of statement: a price is more than the word "price".
 */
type Group = readonly [asked: string, meant: string];

const DATA: Readonly<Partial<Record<Language, readonly Group[]>>> = {
  en: [
    ['send back|give back|bring back|take back|return', 'return returned back'],
    ['money back|reimbursement', 'refund refunded reimburse'],
    ['refund', 'money'],
    ['how much|expensive|cheap|pricing', 'price cost fee charge #money'],
    ['shipped|delivering', 'deliver delivery ship shipping shipment dispatch parcel package'],
    ['when arrive|how long arrive|arrive', 'deliver delivery arrive arrival'],
    ['opening hours|opening times|what time|closing', 'open opening close closed hours #hours'],
    ['call off|unsubscribe', 'cancel cancellation end ending terminate stop quit'],
    ['billing', 'invoice bill receipt'],
    ['log in|sign in|log on|signin|logging in', 'login log sign password'],
    ['sign up|signup', 'register registration enrol join'],
    ['phone number|telephone number|ring', 'phone telephone call #phone'],
    ['e mail', 'email mail #email'],
    ['get in touch|reach you|speak with', 'contact phone call #phone #email'],
    ['where are you|where is your|find you|directions', 'address street located location'],
    ['wi fi|wireless', 'wifi wlan internet'],
    ['mend', 'repair fix'],
    ['appointment', 'book booking reserve reservation'],
    ['paid|paying', 'pay payment'],
    ['modify|edit', 'change update'],
    ['erase', 'delete remove'],
    ['voucher|promo|promotion', 'discount coupon reduction'],
    ['faulty|defect', 'broken damaged defective'],
    ['kids', 'child children kid'],
    ['animal', 'pet dog cat'],
    ['guaranteed', 'guarantee warranty'],
    ['how long|how many days|how many weeks|how many months', '#duration'],
    ['gift voucher|gift certificate|gift token', 'card giftcard'],
    ['your email|your mail|your number|your phone|your address', 'contact reach'],
    ['smashed|cracked|shattered|torn|ripped|scratched|dented', 'broken damaged faulty'],
    ['not work|doesnt work|isnt work|stop work|stopped work|wont work|broke', 'fault faulty broken'],
    ['declined|rejected|refused', 'failed fail failure'],
    ['swap', 'exchange replace replacement'],
    ['courier|postman|mailman', 'carrier delivery'],
    ['late|overdue', 'delay delayed'],
    ['expire|run out', 'valid validity'],
    ['outside', 'outdoor outdoors'],
    ['assemble|mount|put up', 'install assembly hang mounting'],
    ['collect', 'pickup pick collection'],
    ['customised|customized|custom|bespoke', 'measure customise'],
    ['contain|ingredients', 'contains made'],
    ['pets', 'animal animals'],
    ['usa|america', 'united states'],
    ['england|britain', 'uk kingdom'],
  ],
  de: [
    [
      'zuruck geben|zuruck schicken|umtausch|umtauschen',
      'zuruckgeben zuruckschicken zurucksenden ruckgabe retoure',
    ],
    ['geld zuruck', 'erstattung ruckerstattung erstatten'],
    ['wie viel|wieviel|teuer|was kostet', 'preis kosten gebuhr #money'],
    ['zustellung|versenden', 'liefern lieferung lieferzeit versand paket'],
    [
      'wann auf|wann zu|um wie viel uhr|offnungszeiten',
      'offen geoffnet offnet geschlossen sprechzeiten offnungszeiten schliesst #hours',
    ],
    ['storno|abbestellen', 'stornieren stornierung kundigen kundigung absagen beenden'],
    ['quittung', 'rechnung beleg'],
    ['log in|einloggen', 'login anmelden passwort'],
    ['registrieren', 'anmelden anmeldung registrierung'],
    ['telefonnummer|handynummer|anrufen', 'telefon rufen telefonisch #phone'],
    ['e mail', 'email mail #email'],
    ['wo seid|wo sind sie|wo ist|wo finde|standort|wegbeschreibung', 'adresse anschrift anfahrt strasse'],
    ['reservieren', 'termin buchen reservierung buchung'],
    ['parken', 'parkplatz parkplatze parkhaus'],
    ['bezahlen', 'zahlen zahlung bezahlung'],
    ['reparieren', 'reparatur'],
    ['gewahrleistung', 'garantie'],
    ['rabatt', 'gutschein ermassigung'],
    ['wie lange|dauer|wie viele tage|wie viele wochen|wie viele monate', 'dauert #duration'],
  ],
  fr: [
    ['renvoyer|rendre', 'retour retourner'],
    ['argent rendu', 'remboursement rembourser'],
    ['combien coute|combien ca coute|cher', 'prix tarif cout coute frais #money'],
    ['envoyer|expedier', 'livraison livrer colis envoi'],
    ['quelle heure|ouverts quand|ouvrir|fermer', 'horaire ouvert ouverture ferme fermeture #hours'],
    ['arreter|resilier', 'annuler annulation resiliation'],
    ['recu', 'facture'],
    ['me connecter|login', 'connexion connecter identifier'],
    ['inscrire', 'inscription'],
    ['numero|appeler|tel', 'telephone #phone'],
    ['e mail|courriel', 'email mail #email'],
    ['adresse|itineraire', 'rue acces adresse'],
    ['reparer', 'reparation'],
    ['louer', 'location louons'],
    ['garanti', 'garantie garantir'],
    ['payer|reglement', 'paiement'],
    ['rendez vous', 'reserver reservation'],
    ['combien de temps|duree|combien jours|combien semaines', '#duration'],
  ],
  es: [
    ['devolver', 'devolucion'],
    ['dinero de vuelta', 'reembolso reembolsar'],
    ['cuanto cuesta|cuanto vale|caro', 'precio cuesta coste tarifa #money'],
    ['enviar|entregar', 'envio entrega paquete'],
    ['que hora|cerrar|abren|abierto', 'horario abre abrir cierra cerrado #hours'],
    ['anular|baja', 'cancelar cancelacion'],
    ['recibo', 'factura'],
    ['iniciar sesion|login', 'acceder entrar'],
    ['inscribir', 'inscripcion registro'],
    ['llamar|numero', 'telefono #phone'],
    ['e mail|correo', 'email #email'],
    ['direccion|ubicacion|donde estan', 'calle llegar direccion'],
    ['reparar', 'reparacion'],
    ['reservar', 'reserva cita'],
    ['pagar', 'pago'],
    ['aparcar|parking', 'aparcamiento estacionamiento'],
    ['cuanto tiempo|cuanto dura|duracion', 'dura #duration'],
  ],
  it: [
    ['restituire|rendere', 'reso restituzione'],
    ['soldi indietro', 'rimborso rimborsare'],
    ['quanto costa|caro', 'prezzo costo costa tariffa #money'],
    ['spedire|consegnare', 'spedizione consegna pacco'],
    ['che ora|aperti|chiudere|aprite|chiudete', 'orario aperto apertura chiuso chiusura #hours'],
    ['disdire', 'annullare cancellare disdetta'],
    ['ricevuta|scontrino', 'fattura'],
    ['numero|chiamare', 'telefono #phone'],
    ['dove siete|dove si trova|indirizzo', 'via indirizzo'],
    ['prenotare', 'prenotazione appuntamento'],
    ['pagare', 'pagamento'],
    ['quanto tempo|quanto dura', '#duration'],
  ],
  pt: [
    ['devolver', 'devolucao'],
    ['dinheiro de volta', 'reembolso reembolsar'],
    ['quanto custa|caro', 'preco custo custa tarifa #money'],
    ['enviar|entregar', 'envio entrega encomenda'],
    ['que horas|abrem|fecham|aberto', 'horario abre fecha fechado #hours'],
    ['anular', 'cancelar cancelamento'],
    ['recibo', 'fatura'],
    ['ligar|numero', 'telefone #phone'],
    ['onde ficam|onde fica|morada|endereco', 'rua morada endereco'],
    ['reservar|marcar', 'reserva marcacao'],
    ['pagar', 'pagamento'],
    ['quanto tempo|quanto demora', '#duration'],
  ],
  nl: [
    ['terug sturen|terug brengen|retourneren', 'retour terugsturen'],
    ['geld terug', 'terugbetaling terugbetalen'],
    ['hoe veel|hoeveel kost|duur', 'prijs kosten kost tarief #money'],
    ['verzenden|leveren', 'levering bezorging verzending pakket'],
    ['hoe laat|openingstijden', 'open geopend gesloten openingstijden #hours'],
    ['opzeggen|annuleren', 'annulering opzegging'],
    ['bon', 'factuur rekening'],
    ['bellen|telefoonnummer', 'telefoon #phone'],
    ['waar zijn|waar zit|adres', 'adres straat'],
    ['reserveren|boeken', 'reservering boeking afspraak'],
    ['betalen', 'betaling'],
    ['hoe lang', '#duration'],
  ],
};

/** Groups of words with the same meaning in any business: each counts like the others. */
const SAME: Readonly<Partial<Record<Language, readonly string[]>>> = {
  en: [
    'deliver delivery ship shipping shipment postage',
    'parcel package',
    'pay payment',
    'broken damaged faulty defective',
    'email mail',
    'expire expiry expiration',
    'invoice bill',
    'phone telephone',
    'shop store',
    'warranty guarantee',
    'change modify edit',
    'voucher coupon',
    'install installation',
    'register registration',
    'subscribe subscription',
    'cancel cancellation',
    'measure measurement',
    'business company',
    'discount reduction',
    'photo picture',
    'zip zipper',
    'child kid',
    'missing lost',
    'delete erase',
    'repair mend fix',
    'gift present',
    'exchange swap',
    'purchase buy',
    'location located',
    'arrive arrival',
    'cannot cant',
  ],
  de: [
    'liefern liefert lieferung versand versenden verschicken zustellung',
    'paket sendung',
    'zahlen bezahlen zahlung bezahlung zahlungsart',
    'kaputt beschadigt defekt zerbrochen',
    'email mail',
    'rechnung beleg',
    'garantie gewahrleistung',
    'stornieren stornierung',
    'kundigen kundigung',
    'zuruckgeben zuruckschicken zurucksenden rucksendung ruckgabe retoure',
    'erstatten erstattung ruckerstattung',
    'reparieren reparatur',
    'laden geschaft',
    'offen geoffnet',
    'loschen loschung',
    'andern anderung',
    'gutschein geschenkgutschein',
  ],
  fr: [
    'livrer livraison expedier expedition',
    'payer paiement regler reglement',
    'rembourser remboursement',
    'retourner renvoyer retour',
    'annuler annulation',
    'casse endommage abime',
    'reparer reparation',
    'boutique magasin',
    'supprimer suppression',
    'modifier modification changer',
    'email courriel',
    'reserver reservation',
  ],
  es: [
    'enviar envio entregar entrega',
    'pagar pago',
    'reembolsar reembolso',
    'devolver devolucion',
    'cancelar cancelacion anular',
    'roto danado defectuoso',
    'reparar reparacion',
    'eliminar borrar',
    'cambiar modificar cambio',
    'correo email',
    'reservar reserva',
  ],
  it: [
    'spedire spedizione consegnare consegna',
    'pagare pagamento',
    'rimborsare rimborso',
    'restituire reso restituzione',
    'annullare cancellare annullamento',
    'rotto danneggiato difettoso',
    'riparare riparazione',
    'eliminare cancellazione',
    'modificare modifica cambiare',
    'prenotare prenotazione',
  ],
  pt: [
    'enviar envio entregar entrega',
    'pagar pagamento',
    'reembolsar reembolso',
    'devolver devolucao',
    'cancelar cancelamento anular',
    'partido quebrado danificado',
    'reparar reparacao',
    'apagar eliminar',
    'alterar mudar alteracao',
    'reservar reserva',
  ],
  nl: [
    'leveren levering bezorgen bezorging verzenden verzending',
    'betalen betaling',
    'terugbetalen terugbetaling',
    'retourneren retour terugsturen',
    'annuleren annulering',
    'kapot beschadigd defect',
    'repareren reparatie',
    'winkel zaak',
    'verwijderen wissen',
    'wijzigen wijziging veranderen',
    'reserveren reservering boeken boeking',
  ],
};

const sameBy = new Map<Language, ReadonlyMap<string, readonly string[]>>();

/** Terms with the same meaning as this one, without itself. */
export function sameAs(term: string, language: Language): readonly string[] {
  let known = sameBy.get(language);
  if (known === undefined) {
    const groups = (SAME[language] ?? []).map((group) => [
      ...new Set(group.split(' ').map((word) => stem(word, language))),
    ]);
    known = new Map(
      groups.flatMap((group) =>
        group.map((one): [string, string[]] => [one, group.filter((other) => other !== one)]),
      ),
    );
    sameBy.set(language, known);
  }
  return known.get(term) ?? [];
}

interface Meaning {
  /** Stems that must occur in the question in this order; one for a word. */
  readonly phrase: readonly string[];
  readonly terms: readonly string[];
}

/** By the first stem of what is asked. */
export type Meanings = ReadonlyMap<string, readonly Meaning[]>;
const NO_MEANINGS: Meanings = new Map();

const meanings = new Map<Language, ReadonlyMap<string, readonly Meaning[]>>();

/** By the first stem of what is asked. */
function meaningsOf(language: Language): ReadonlyMap<string, readonly Meaning[]> {
  let known = meanings.get(language);
  if (known === undefined) {
    known = Map.groupBy(
      (DATA[language] ?? []).flatMap((group) => meaningsIn(group, language)),
      ({ phrase }) => phrase[0] ?? '',
    );
    meanings.set(language, known);
  }
  return known;
}

function meaningsIn([asked, meant]: Group, language: Language): Meaning[] {
  const words = meant.split(' ');
  const terms = [...new Set(words.map((word) => (isKind(word) ? kindTerm(word) : stem(word, language))))];
  const phrases = [...asked.split('|'), ...words.filter((word) => !isKind(word))];
  return phrases.map((phrase) => ({ phrase: phrase.split(' ').map((word) => stem(word, language)), terms }));
}

function isKind(word: string): word is Kind {
  return word.startsWith('#');
}

/**
 * By the first stem, what a word or phrase may mean according to a site's own groups: the words of all others in its
 * group.
 */
export function ownMeanings(groups: readonly (readonly string[])[], language: Language): Meanings {
  const stemmed = groups.map((group) =>
    group
      .map((phrase) => wordsOf(phrase).map((word) => stem(word, language)))
      .filter((phrase) => phrase.length > 0),
  );
  const meanings = stemmed.flatMap((group) =>
    group.map((phrase): Meaning => {
      const others = group.filter((other) => other !== phrase).flat();
      return { phrase, terms: [...new Set(others)].filter((term) => !phrase.includes(term)) };
    }),
  );
  return Map.groupBy(meanings, ({ phrase }) => phrase[0] ?? '');
}

/** What a phrase of a question may mean in the articles, and the positions of its words in the question. */
export interface MeantPhrase {
  readonly terms: readonly string[];
  readonly places: readonly number[];
}

interface FoundMeanings {
  readonly word: string[];
  readonly phrases: MeantPhrase[];
}

/** What the word at `at` may mean in the articles, and what the phrases mean that begin with it. */
export function synonymsAt(
  stems: readonly string[],
  at: number,
  language: Language,
  own: Meanings = NO_MEANINGS,
): FoundMeanings {
  const found: FoundMeanings = { word: [], phrases: [] };
  const first = stems[at] ?? '';
  for (const { phrase, terms } of [...(meaningsOf(language).get(first) ?? []), ...(own.get(first) ?? [])]) {
    if (phrase.length === 1) found.word.push(...terms);
    else {
      const places = placesOf(stems, at, phrase);
      if (places !== undefined) found.phrases.push({ terms: [...terms], places });
    }
  }
  return found;
}

/** How many words may be between those of a phrase: "send it back". */
const PHRASE_GAP = 3;

function placesOf(stems: readonly string[], at: number, phrase: readonly string[]): number[] | undefined {
  const places = [at];
  for (const word of phrase.slice(1)) {
    const from = places.at(-1) ?? at;
    const next = stems.indexOf(word, from + 1);
    if (next < 0 || next > from + 1 + PHRASE_GAP) return undefined;
    places.push(next);
  }
  return places;
}
