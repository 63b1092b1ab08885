import snowball from 'snowball-stemmers';

/** Languages whose words are read by their stems and whose grammar is known; in any other, words are compared as they are. */
export const LANGUAGES = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'pt',
  'nl',
  'ru',
  'sv',
  'da',
  'no',
  'fi',
  'tr',
  'ar',
  'he',
  'ja',
  'zh',
] as const;
export type Language = (typeof LANGUAGES)[number];

interface LanguageData {
  /** The name of a Snowball stemmer, or a function that removes a word's endings. */
  readonly stemmer: string | ((word: string) => string);
  /** Grammatical words: they identify the language, and weigh little in a question. */
  readonly functionWords: Pick<ReadonlySet<string>, 'has'>;
}

function language(stemmer: LanguageData['stemmer'], words: string): LanguageData {
  return { stemmer, functionWords: new Set(words.split(' ')) };
}

/** The maximum length of such a pair, in UTF-16. */
const PAIR_CHARS = 2;

/** For languages without spaces, whose words are pairs of characters: the pairs that are grammar. */
const grammarPairs = (pair: RegExp): LanguageData => ({
  stemmer: (word) => word,
  functionWords: { has: (word) => pair.test(word) },
});

/** Words in the tokenizer's form: lower-case and without diacritics. */
const DATA: Readonly<Record<Language, LanguageData>> = {
  en: language(
    'english',
    'a am an and any are as at be been but by can could did do does for from get give got had has have he her him his how i id if im in into is it its ive just know let like may me my need of on or our please she should so some such tell than that the their them then there these they this those to too us want was we were what when where which while who whom why will with would you your dont doesnt cant im ive id whats long much many often u ur r pls plz youre thats theres havent hasnt isnt arent wont wheres til',
  ),
  de: language(
    'german',
    'aber alle als also am an auch auf aus bei bin bis bitte da das dass dem den denn der des die dies diese dieser doch du durch ein eine einem einen einer eines er es euch euer fur gibt habe haben hat hatte ich ihm ihn ihr ihre im in ist ja kann kannst konnen konnte man mein meine mich mir mit mochte muss nach oder ob sein sich sie sind so uber um und uns unser vom von vor wann warum was welche welcher wenn wer werden wie wieder will wir wird wo wurde zu zum zur lange viel viele oft',
  ),
  fr: language(
    'french',
    'ai as au aux avec avez avoir c ce ces cette comment d dans de des dois du elle en est et etre eu faire fait il ils j je l la le les leur lui m ma mais me mes moi mon n ne nos notre nous on ou par pas peut peux pour pouvez puis qu quand que quel quelle quels qui s sa se ses si son sont suis sur t ta te tes tu un une vos votre vous y combien longtemps',
  ),
  es: language(
    'spanish',
    'a al algo como con cual cuando cuanto de del desde donde e el ella ellos en entre es esta estan este esto estoy favor ha han hay he la las le les lo los me mi mis muy nos o para pero por porque puede pueden puedo que quiero se ser si sin sobre son soy su sus te tengo ti tiene tu un una uno y ya yo cuanta cuantos cuantas',
  ),
  it: language(
    'italian',
    'a ai al alla alle anche c che chi ci come con cosa cui d da dal dalla de dei del della delle di dove e ed gli ha hai ho i il in io l la le lo ma mi mia mie mio nel nella non o per perche piu posso puo qual quale quando quanto questa questo se si sono su sul sulla suo ti tu un una uno vi voglio vorrei quanti quanta',
  ),
  pt: language(
    'portuguese',
    'a ao aos as com como da das de do dos e ela ele em entre era essa esse esta este eu favor foi ha isso isto ja la lhe mais mas me meu meus minha minhas muito na nao nas no nos o onde os ou para pela pelo por porque posso pode qual quando que quem quero se sem ser seu sua sao tem tenho ter um uma voce voces quanto quantos quanta',
  ),
  nl: language(
    'dutch',
    'aan al als bij ben dan dat de deze die dit door een en er geen had heb hebben heeft het hier hij hoe ik in is ja je jij jullie kan kun kunnen maar me met mij mijn moet naar niet nog nu of om onder ons ook op over te tot u uit uw van voor waar waarom wanneer wat we welke wel wie wij wil worden wordt zal ze zich zij zijn zo zou',
  ),
  ru: language(
    'russian',
    'а без бы был была были было быть в вам вас ваш во вот все вы где да для до его ее если есть еще же за и из или им их к как какая какие какой когда кто ли мне можно мой мою моя мы на надо наш не нет но ну о об он она они от по под при с со так также там то тоже только у уже хочу чем что чтобы это этот я',
  ),
  sv: language(
    'swedish',
    'alla att av blir da de dem den det din du eller en er ett for fran gor ha han har hur i inte jag kan man med men min mitt nar ni och om pa sa sig ska som till vad var vara vem vi vilken',
  ),
  da: language(
    'danish',
    'af at blive de dem den denne der det din du eller en er et for fra ga gor ham han har hun hvad hvem hvis hvor hvordan hvornar i ikke jeg kan man med men mig min mit nar og om op pa sa skal som til var vi vil',
  ),
  no: language(
    'norwegian',
    'at av blir da de dem den denne der det din du eller en er et for fra gjor ham han har hun hva hvem hvis hvor hvordan i ikke jeg kan man med men meg min mitt nar og om opp pa sa skal som til var vi vil',
  ),
  fi: language(
    'finnish',
    'ei en etta han he ja jos joka kanssa kuin kun kuinka mika miksi milloin mina minun missa mita mitka mutta myos niin ole olen on onko ovat se sen sina siella tai tama tassa te vai voi voiko voin voinko',
  ),
  tr: language(
    'turkish',
    'acaba ama ben bana bende benim bir biz bu bunu cok da daha de degil en gibi hangi icin ile kac kadar ki kim mi mu musunuz nasil ne neden nerede o olan olarak sen siz sizin su var ve veya ya yok',
  ),
  ar: language(
    arabicStem,
    'في من على الى إلى عن مع هل ما ماذا متى كيف اين لماذا كم انا انت هو هي نحن هم هذا هذه ذلك تلك التي الذي ان او ام لا لم لن ليس قد كان كانت يكون عند عندي لدي لديكم لكم لي لك له بعد قبل كل اي اذا ثم حتى بين يمكن يمكنني اريد ممكن لو سمحت فضلك رجاء شو ايش وين ليش عندكم بدي فيني',
  ),
  he: language(
    hebrewStem,
    'את של על עם אל לא כן זה זו זאת אני אתה אתם הוא היא אנחנו הם הן מה מתי איך איפה למה כמה האם יש אין גם או אם כי רק עוד כבר לי לך לכם לו לה שלי שלך שלכם אפשר יכול יכולה צריך צריכה רוצה בבקשה אחרי לפני כל מי איזה איזו אבל היה להיות',
  ),
  // Hiragana alone is particles and endings; a name written so is still found, with less weight.
  ja: grammarPairs(/^[\u3041-\u309fー]{1,2}$/),
  zh: grammarPairs(
    /^[的了吗呢吧啊我你您他她它们是在有没不可以怎么什请问要能会这那个都就也很和与或及被把给让想多少哪里为用到去来说看好对还再又等下上点儿嘛哦]{1,2}$/,
  ),
};

const stemmers = new Map<Language, (word: string) => string>();
const stems = new Map<Language, Map<string, string>>();
const STEMS_KEPT = 50_000;
/** Longer words are addresses, codes or noise. */
const STEMMED_MAX_CHARS = 40;

/** The word's stem; `word` lower-case and without diacritics. */
export function stem(word: string, language: Language): string {
  if (word.length > STEMMED_MAX_CHARS) return word;
  let known = stems.get(language);
  if (known === undefined || known.size >= STEMS_KEPT) {
    known = new Map();
    stems.set(language, known);
  }
  let found = known.get(word);
  if (found === undefined) {
    found = stemmerFor(language)(accentedEnding(word, language));
    known.set(word, found);
  }
  return found;
}

function stemmerFor(language: Language): (word: string) => string {
  let stemmer = stemmers.get(language);
  if (stemmer === undefined) {
    const { stemmer: given } = DATA[language];
    const snowballStemmer = typeof given === 'string' ? snowball.newStemmer(given) : undefined;
    stemmer = snowballStemmer ? (word) => snowballStemmer.stem(word) : (given as (word: string) => string);
    stemmers.set(language, stemmer);
  }
  return stemmer;
}

/** "Light10" (Larkey, Ballesteros and Connell 2007): the article, "and" and "for" before a word, and its common endings. */
function arabicStem(word: string): string {
  return word
    .replace(/^(?:وال|بال|كال|فال|لل|ال)(?=.{2})|^و(?=.{3})/, '')
    .replace(/(?<=.{2})(?:ها|ان|ات|ون|ين|يه|ية|ه|ة|ي)$/, '');
}

/**
 * Hebrew prefixes, which are written without a space ("and", "the", "in", "to", "from", "that", "as"), and its plurals.
 */
function hebrewStem(word: string): string {
  return word
    .replace(/^(?:וה|וב|ול|ומ|וש|שה|מה|כש|[והבלמשכ])(?=.{3})/, '')
    .replace(/(?<=.{3})(?:ים|ות|ה)$/, '');
}

/** Restores the accent: Spanish and Portuguese stemmers know the most frequent noun endings only with it. */
function accentedEnding(word: string, language: Language): string {
  if (language === 'es') return word.replace(/cion$/, 'ción');
  if (language === 'pt') return word.replace(/cao$/, 'ção').replace(/coes$/, 'ções');
  return word;
}

/** Whether any of the languages has it. `word` must be lower-case and without diacritics. */
export function isFunctionWord(word: string, languages: Iterable<Language>): boolean {
  for (const language of languages) {
    if (DATA[language].functionWords.has(word)) return true;
  }
  return false;
}

/** The language with the most function words in the text; English if none stands out. */
export const languageOf = (words: readonly string[]): Language => knownLanguageOf(words) ?? 'en';

const languagesByWord = new Map<string, number[]>();
/** Languages whose grammar is pairs of characters. */
const pairLanguages: number[] = [];
for (const [at, name] of LANGUAGES.entries()) {
  const { functionWords } = DATA[name];
  if (functionWords instanceof Set) {
    for (const word of functionWords) languagesByWord.set(word, [...(languagesByWord.get(word) ?? []), at]);
  } else pairLanguages.push(at);
}

/** The LANGUAGES that have the word: one lookup for all, because each message and ticket is checked word by word. */
const languagesWith = (word: string): readonly number[] =>
  languagesByWord.get(word) ??
  (word.length > PAIR_CHARS ? [] : pairLanguages.filter((at) => isFunctionWordOf(LANGUAGES[at], word)));

const isFunctionWordOf = (language: Language | undefined, word: string): boolean =>
  language !== undefined && DATA[language].functionWords.has(word);

/** The same; undefined for a text without any function word. */
export function knownLanguageOf(words: readonly string[]): Language | undefined {
  const counts = LANGUAGES.map(() => 0);
  for (const word of words) for (const at of languagesWith(word)) counts[at] = (counts[at] ?? 0) + 1;
  const most = Math.max(...counts);
  return most === 0 ? undefined : LANGUAGES[counts.indexOf(most)];
}
