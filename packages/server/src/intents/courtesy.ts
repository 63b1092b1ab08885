/** The patterns below try each position of a message, and from each read on as far as the punctuation goes. */
const READ_MAX_CHARS = 1_000;

const OPENING =
  /^[\s\p{P}]*(?:hi|hello|hey|hiya|dear|good (?:morning|afternoon|evening)|hallo|guten (?:tag|morgen|abend)|moin|bonjour|bonsoir|salut|hola|buen[oa]s (?:d[ií]as|tardes|noches)|ol[aá]|oi|bom dia|boa (?:tarde|noite)|ciao|buongiorno|buonasera|salve|hoi|goede(?:morgen|middag|navond|ndag))(?: (?:there|all|everyone|team|guys|zusammen))?[\s,.!:;–-]+/iu;
const CLOSING =
  /[\s,.!?]+(?:many )?(?:thanks|thank you|thx|danke|vielen dank|merci|gracias|obrigad[oa]|grazie|bedankt|dank je)(?: (?:so much|very much|a lot|in advance|im voraus|d'avance))?[\s.!]*$/iu;

/** A clause at the end that only asks for something to be done. */
const WHAT_NOW =
  /(?<=\p{L}.{8,})[\s,.!?;:–-]*[,.!?;:–-]\s*(?:what (?:now|next)|what (?:do|can|should|shall) i do(?: now)?|(?:please |pls |can you |could you )?help(?: me)?|any (?:idea|advice|help)s?|was (?:nun|jetzt|tun)|was (?:mache|kann|soll) ich (?:jetzt|nun|tun|machen)|(?:bitte )?hilfe|que faire|que dois-je faire|qu[eé] hago|ayuda|cosa (?:faccio|devo fare)|aiuto|(?:o )?que fa[cç]o|ajuda|wat nu|wat moet ik doen|wat kan ik doen)[\s.!?]*$/iu;

/**
 * The message without its greeting, its thanks and a "what now?", which would count as words that no article knows.
 * Only the first thousand characters are kept.
 */
export function withoutCourtesy(message: string): string {
  const read = message.slice(0, READ_MAX_CHARS).toWellFormed();
  return read.replace(OPENING, '').replace(CLOSING, '').replace(WHAT_NOW, '');
}
