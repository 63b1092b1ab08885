/**
 * How people ask for a person, by language. Words as `folded` writes them; `*` stands for any ending,
 * a space for two words in a row.
 */
export interface HandoffLanguage {
  /** Getting in touch: "talk", "connect". */
  readonly contact: readonly string[];
  /** What stands between the contact and the person; empty where word endings do that. */
  readonly to: readonly string[];
  /** Contact that goes right before the person, or right behind it, without such a word. */
  readonly direct: readonly string[];
  /** Wishing: "I want …", "is there …". */
  readonly wish: readonly string[];
  readonly person: readonly string[];
  /** Articles and adjectives that may stand before the person. */
  readonly before: readonly string[];
  /** What may follow the person; anything else makes it another thing ("agent discount", "human hair"). */
  readonly after: readonly string[];
  readonly courtesy: readonly string[];
  readonly not: readonly string[];
  /** Sentences that ask for a person without naming one: "is anyone there?", "call me back". */
  readonly whole: readonly string[];
}

function words(text: string): string[] {
  return text.split(', ');
}

export const HANDOFF_LANGUAGES: readonly HandoffLanguage[] = [
  {
    contact: words(
      'talk, talking, speak, speaking, chat, chatting, connect, connected, transfer me, transfer us, transfer this, transfer to, transferred, put me, put us, pass me, pass us, pass this, switch me, switch us, switch to, hand me, hand us, hand over, hand this, hand it, escalate, forward me, forward us, forward this, redirect me, redirect us, redirect to, reach, contact, call',
    ),
    to: words('to, with, through to, over to'),
    direct: words(
      'contact, reach, call, i can talk, i can speak, i could talk, i could speak, who i can talk',
    ),
    wish: words(
      'want, need, get, give me, have, would like, id like, i like, d like, prefer, is there, are there, request, find me, send me, bring me, let me have, get me, get a hold of, need help from, want help from, some',
    ),
    person: words(
      'human, humans, human being, person, people, agent, agents, representative, rep, operator, advisor, adviser, someone, somebody, supervisor, manager, employee, staff, staff member, team member, support team, customer service, customer support, customer care, support, service rep, live chat, anyone, anybody, sales, sales team, team, someone real, somebody real, human help, human assistance, human support',
    ),
    before: words(
      'a, an, the, your, some, any, one of your, one of the, real, actual, live, human, customer, support, service, sales, another, different, an other, real life, proper, competent, customer service, customer support, member of, of',
    ),
    after: words(
      'please, now, here, there, today, immediately, asap, instead, right, directly, about, regarding, at, on, in, from, for, who, that, to help, to talk, to speak, to chat, to answer, to assist, to call, and, or, because, i, my, this, not, available, pls, thanks, thank, real, as, if, so, human, rather, urgently, quickly, online, working, else',
    ),
    courtesy: words(
      'please, pls, now, thanks, hi, hello, hey, ok, okay, just, immediately, asap, i, real, live, actual, the, a, an, no, can, you, help, me, sir',
    ),
    not: words(
      'dont, doesnt, didnt, never, without, no need, do not, does not, rather not, avoid, stop, am i, are you, yesterday',
    ),
    whole: words(
      'is anyone there, is anybody there, anyone there, anybody there, is someone there, is there anyone there, is there anybody there, is anyone here, anyone here, call me back, can someone call me, can someone call me back, someone call me, can a person call me back, a person call me back, no bot human, not a bot, no bots, no robots, stop the bot',
    ),
  },
  {
    contact: words(
      'sprechen, sprech*, reden, rede, verbind*, weiterleit*, durchstell*, chatten, schreiben, weiterverbinden, unterhalten, verbunden, kontaktieren, leiten, leite',
    ),
    to: words('mit, zu, an'),
    direct: words('sprechen, kontaktieren'),
    wish: words(
      'mochte, will, brauche, hatte gern*, gib mir, geben sie mir, gibt es, ich hatte gern*, wunsche, gibt es hier, ist hier, ist da, sondern',
    ),
    person: words(
      'mensch, menschen, person, mitarbeiter*, berater*, kundenberater*, kundendienst, kundenservice, support, jemand*, agent, agenten, sachbearbeiter*, ansprechpartner*',
    ),
    before: words(
      'einem, einer, einen, eine, ein, dem, der, den, die, das, echten, echte, echter, richtigen, richtige, lebenden, ihrem, ihren, eurem, euren, menschlichen, menschlicher, wirklichen, aus, vom, anderen',
    ),
    after: words(
      'bitte, jetzt, sofort, sprechen, reden, verbinden, verbunden, weiterleiten, hier, uber, wegen, und, der, die, das, chatten, schreiben, haben, direkt, statt, werden, kontaktieren, vom, aus, im, am, konnen, weiter, helfen',
    ),
    courtesy: words('bitte, jetzt, sofort, ein, eine, einen, echter, echten, echte, richtiger, hallo, danke'),
    not: words('nicht, kein*, ohne, niemals, gestern'),
    whole: words(
      'ist da jemand, ist jemand da, ist hier jemand, jemand da, rufen sie mich zuruck, ruf mich zuruck, ruckruf, ich mochte einen ruckruf, kein bot, kein roboter, kann mir ein mensch helfen',
    ),
  },
  {
    contact: words(
      'parler, parle*, discuter, echanger, joindre, contacter, transfer*, mettre en relation, mettez moi en relation, passer, passez*, communiquer, appeler, mis en relation, mise en relation',
    ),
    to: words('a, avec, au, vers, aux'),
    direct: words('joindre, contacter, passez moi, passe moi, appeler'),
    wish: words(
      'veux, voudrais, souhaite, besoin, aimerais, y a t il, puis je avoir, peux avoir, pourrais avoir',
    ),
    person: words(
      'humain*, personne, conseill*, agent, quelqu un, operateur, operatrice, representant*, vendeur, service client, technicien*, responsable, etre humain, vraie personne, personne reelle',
    ),
    before: words(
      'un, une, d un, d une, le, la, l, votre, vrai, vraie, de, du, reel, reelle, en chair et en os, autre, des',
    ),
    after: words(
      's il, svp, stp, merci, maintenant, reel, reelle, humain*, de, du, pour, qui, au, en, a, client*, ici, rapidement, directement, physique, sil, sil, s, clientele',
    ),
    courtesy: words('s, il, vous, te, plait, svp, stp, merci, bonjour, un, une, vrai, vraie, reel, reelle'),
    not: words('pas, sans, jamais, hier'),
    whole: words(
      'y a t il quelqu un, il y a quelqu un, quelqu un est la, rappelez moi, pas de robot, pas un robot',
    ),
  },
  {
    contact: words(
      'hablar, hablo, hable*, comunic*, comuniq*, contactar, conect*, pasar, pasame, paseme, transfer*, chatear, conversar, atender, atenderme, atienda, atienden, pongame, ponme, ponganme',
    ),
    to: words('con, a, al'),
    direct: words('contactar, atender, atenderme, atienda'),
    wish: words('quiero, quisiera, necesito, me gustaria, dame, deme, hay'),
    person: words(
      'humano, humana, persona, agente, asesor*, alguien, operador*, representante*, atencion al cliente, servicio al cliente, empleado*, encargado*, ser humano',
    ),
    before: words('un, una, el, la, algun, alguna, su, de, del, verdadero, verdadera, otro, otra, ser'),
    after: words(
      'por, real, humano, humana, ahora, ya, de, del, que, para, en, sobre, aqui, verdadera, verdadero, fisica, favor, porfavor, gracias',
    ),
    courtesy: words('por, favor, ahora, gracias, un, una, hola, real, humano, humana, de, verdad, con'),
    not: words('no, sin, nunca, ayer'),
    whole: words(
      'hay alguien, hay alguien ahi, hay alguien aqui, alguien ahi, llamenme, llameme, no quiero un bot, no quiero un robot',
    ),
  },
  {
    contact: words(
      'falar, falo, fale*, conversar, chamar, contactar, transfer*, passar, ligar, conect*, contatar, passa, passe, encaminh*, atendid*',
    ),
    to: words('com, para, a, ao, pra, por'),
    direct: words('contatar, contactar, chamar'),
    wish: words('quero, queria, preciso, gostaria, tem, me da'),
    person: words(
      'humano, humana, pessoa, atendente*, agente, alguem, operador*, representante*, assistente humano, funcionario*, suporte, atendimento',
    ),
    before: words('um, uma, o, a, algum, alguma, de, do, da, seu, ser, verdadeiro, outra, outro'),
    after: words(
      'por, real, humano, humana, agora, de, do, da, que, para, sobre, aqui, favor, verdadeira, obrigad*',
    ),
    courtesy: words(
      'por, favor, agora, obrigado, obrigada, um, uma, ola, oi, real, humano, humana, de, verdade, com',
    ),
    not: words('nao, sem, nunca, ontem, falei'),
    whole: words(
      'tem alguem, tem alguem ai, alguem ai, ha alguem ai, me liga, me liguem, nao quero robo, sem robo',
    ),
  },
  {
    contact: words(
      'parlare, parlo, parla, parlarne, contattare, passami, passatemi, passare, trasfer*, chattare, metter*, mettetemi in contatto, comunicare, collegare, passi, metti*, trasferi*',
    ),
    to: words('con, a, al, ad'),
    direct: words('contattare, passami, passatemi, passi, passarmi'),
    wish: words('voglio, vorrei, bisogno, desidero, mi serve, c e, dammi, posso avere, potrei avere'),
    person: words(
      'umano, umana, persona, operatore, operatrice, agente, qualcuno, assistente umano, consulente, addett*, rappresentante, servizio clienti, essere umano, assistenza clienti, assistenza',
    ),
    before: words('un, una, un altro, il, la, l, vero, vera, di, del, essere, vostro, altro'),
    after: words(
      'per, vera, vero, reale, umano, umana, adesso, ora, subito, di, del, che, in, qui, grazie, favore',
    ),
    courtesy: words('per, favore, adesso, ora, grazie, un, una, ciao, vero, vera, reale, umano, umana'),
    not: words('non, senza, mai, ieri'),
    whole: words('c e qualcuno, qualcuno c e, c e nessuno, richiamatemi, niente bot, no bot'),
  },
  {
    contact: words(
      'praten, spreken, spreek, praat, chatten, verbind*, doorverbind*, contact, contacteren, bellen, overleggen',
    ),
    to: words('met, aan'),
    direct: words('spreken, contacteren'),
    wish: words('wil, zou graag, heb, nodig, mag ik, kan ik, is er, geef me, geef mij'),
    person: words('mens, persoon, medewerker*, iemand, adviseur, agent, klantenservice, collega, helpdesk'),
    before: words('een, de, het, jullie, uw, echt, echte, van, andere, menselijke'),
    after: words(
      'alsjeblieft, alstublieft, aub, nu, spreken, praten, van, over, die, hier, graag, nodig, chatten, a, u, b, direct, doorverbonden, bellen',
    ),
    courtesy: words('alsjeblieft, alstublieft, aub, graag, nu, een, echt, echte, hallo, hoi'),
    not: words('niet, geen, zonder, gisteren'),
    whole: words(
      'is er iemand, is daar iemand, iemand daar, is iemand daar, bel mij terug, bel me terug, kunt u mij doorverbinden, kan je me doorverbinden, kun je me doorverbinden, geen bot, geen robot',
    ),
  },
  {
    contact: words(
      'rozmawia*, porozmawia*, pogada*, polacz*, przelacz*, skontakt*, mowic, przekier*, czatowac, kontakt*, rozmowa, rozmowe',
    ),
    to: words('z, ze, do'),
    direct: [],
    wish: words(
      'chce, chcialbym, chcialabym, potrzebuje, prosze o, poprosze, czy jest, daj mi, dajcie mi, pomocy',
    ),
    person: words(
      'czlowiek*, osob*, konsultant*, agent*, kims, ktos, pracownik*, doradc*, operator*, obslug*, przedstawiciel*',
    ),
    before: words('zywym, zywa, prawdziwym, prawdziwa, prawdziwego, prawdziwej, jakims, waszym, z, innym'),
    after: words('prosze, teraz, natychmiast, klienta, w, na, o, i, ktory, dziekuje, porozmawiac'),
    courtesy: words('prosze, teraz, dziekuje, dzien, dobry, prawdziwy, zywy, z'),
    not: words('nie, bez, wczoraj'),
    whole: words(
      'czy jest tu ktos, jest tu ktos, czy ktos tu jest, jest tam ktos, halo jest tam ktos, prosze oddzwonic, oddzwoncie, nie bot',
    ),
  },
  {
    contact: words('konus*, gorus*, baglan*, baglar*, bagla, aktar*, yonlendir*, ulas*, yazis*, baglay*'),
    to: [],
    direct: [],
    wish: words('istiyorum, istiyom, lazim, ihtiyacim, var mi, verin'),
    person: words(
      'insan, insana, insanla, insanlar, birisi, biri, biriyle, birine, kisi, kisiyle, kisiye, temsilci*, yetkili*, operator*, calisan*, canli destek*, musteri hizmetleri*, gorevli*',
    ),
    before: words('bir, gercek, canli, musteri, baska, ile, sizin'),
    after: words(
      'ile, lutfen, konus*, gorus*, baglan*, baglar*, bagla, hemen, simdi, istiyorum, var, lazim, mi, aktar*, yonlendir*, ulas*, beni, yazis*, baglay*',
    ),
    courtesy: words('lutfen, simdi, hemen, merhaba, gercek, canli, bir'),
    not: words('degil, istemiyorum, olmadan, dun, konustum, gorustum'),
    whole: words(
      'kimse var mi, orada kimse var mi, biri var mi, orada biri var mi, canli destek istiyorum, temsilci istiyorum, insan istiyorum, beni arayin, beni geri arayin, bot istemiyorum',
    ),
  },
  {
    contact: words(
      "поговорити, поговорить, говорити, розмовляти, зв'яж*, зв'яза*, з'єдна*, переключ*, перевед*, поспілкуватися, спілкуватися, написати",
    ),
    to: words('з, із, зі, до, на'),
    direct: words('покличте, поклич'),
    wish: words('хочу, потрібен, потрібна, треба, покличте, дайте, чи є, можна'),
    person: words(
      'людин*, оператор*, менеджер*, консультант*, спеціаліст*, кимось, хтось, співробітник*, представник*, підтримк*, агент*',
    ),
    before: words(
      'живою, живим, справжньою, реальною, жива, живого, живий, вашим, службою, іншим, будь, служба, службу',
    ),
    after: words('будь, ласка, зараз, негайно, підтримки, про, з, і, який, яка, дякую, поговорити, щодо'),
    courtesy: words('будь, ласка, зараз, дякую, привіт, добрий, день, жива, живий'),
    not: words('не, без, вчора'),
    whole: words(
      'є хтось живий, є хтось, тут є хтось, є тут хтось, хтось є, передзвоніть, передзвоніть мені, не бот',
    ),
  },
  {
    contact: words(
      'التحدث, اتحدث, تحدث, اتكلم, التكلم, اكلم, تكلم, تحويل*, حولني, حولوني, التواصل, اتواصل, تواصل, وصلني, الكلام, اوصلني',
    ),
    to: words('مع, الى, ل, على, ب'),
    direct: words('حولني, وصلني, اوصلني, اكلم'),
    wish: words('اريد, اريد ان, عايز, ابغى, ابي, احتاج, بدي, هل يوجد, هل هناك'),
    person: words(
      'شخص, انسان, بشري, موظف, موظفة, ممثل*, وكيل, احد, خدمة العملاء, الدعم, مندوب, مشرف, لموظف, لشخص, الموظف, بخدمة العملاء, بموظف, بممثل, بشخص, حد',
    ),
    before: words('اي, حقيقي, خدمة, موظف, ممثل, من'),
    after: words('حقيقي, من, خدمة, العملاء, بشري, لو, سمحت, الان, فضلك, الدعم, في, عن, بخصوص, فورا, هنا'),
    courtesy: words('من, فضلك, لو, سمحت, الان, شكرا, مرحبا, حقيقي'),
    not: words('لا, بدون, ليس, امس'),
    whole: words(
      'هل يوجد احد, هل من احد, هل هناك احد, يوجد احد هنا, في حد هنا, في حد, اتصلوا بي, لا اريد روبوت',
    ),
  },
  {
    contact: words('לדבר, מדבר*, לשוחח, להתכתב, תעביר*, להעביר, העבר*, תחבר*, לחבר, ליצור קשר, דבר'),
    to: words('עם, אל, ל'),
    direct: words('אותי, תעביר, תעבירו, העבר'),
    wish: words('רוצה, צריך, צריכה, מבקש, מבקשת, אפשר, תן לי, תני לי, יש, לקבל'),
    person: words(
      'נציג*, לנציג*, אדם, בן אדם, בנאדם, לאדם, אנושי, מישהו, למישהו, מוקדן, לנציגת, שירות לקוחות, לשירות לקוחות, שירות אנושי',
    ),
    before: words('בן, אמיתי, אנושי, את, ה, איזה'),
    after: words('אנושי, אנושית, אמיתי, בבקשה, עכשיו, שירות, של, מ, מיד, כאן, על, לגבי, תודה'),
    courtesy: words('בבקשה, עכשיו, תודה, שלום, אנושי, אנושית, אמיתי'),
    not: words('לא, בלי, אל, אתמול'),
    whole: words('יש שם מישהו, יש מישהו, יש כאן מישהו, מישהו שם, תתקשרו אלי, תחזרו אלי, לא בוט'),
  },
];

/** Languages without spaces between words: what a request looks like in the text itself. */
export const HANDOFF_PATTERNS: readonly RegExp[] = [
  /转人工|轉人工|人工客服|人工服务|人工服務|真人客服|真人服务|真人服務|(?:找|和|跟|与|與|要|换|換|联系|聯繫|接)(?:一个|一個|个|個|你们的|你們的)?(?:真人|人工(?!费|費|草|智)|客服|客户服务|专员|專員)/,
  /(?:找|叫|换|換|要见|要見)(?:一下)?(?:你们|你們)(?:的)?(?:经理|經理|主管|领导|領導|老板|老闆|负责人|負責人)/,
  /^(?:请问|請問)?(?:有人|有人在|有真人)(?:吗|嗎|么|在吗|在嗎)$|^(?:真人|人工|客服|人工吗)$/,
  /(?:オペレーター?|担当者?|担当の方|スタッフ|係員|係の人|人間|有人|本物の人|サポートの人|店員|誰か)(?:の方|さん)?(?:と|に|へ|を)?(?:直接)?(?:お)?(?:話|はな|つな|繋|代わ|替わ|かわ|変わ|チャット|相談|お願い|願い|呼ん|連絡|対応)/,
  /(?<!\p{Script=Han})(?:人|ひと)(?:と|に)(?:直接)?(?:お)?(?:話|はな|チャット|代わ|替わ|かわって|つな|繋)|(?<!\p{Script=Han})人のサポート|話せる人|有人(?:対応|チャット|サポート)|^(?:オペレーター?|担当者?|人間)$/u,
  /^(?:誰か|どなたか)(?:いますか|いませんか|いらっしゃいますか)$/,
];
