import { folded } from '../text/words.ts';
import { SMALL_TALK } from './small-talk-words.ts';

/** Words that may stand beside small talk without making it more ("hi there", "thanks a lot"). */
const FILLERS = new Set(
  'there all everyone team so very much a lot again you guys friend sir madam und viele sehr beaucoup bien muchas muchos mille tanto muito obrigada dank je wel bardzo cok duze дуже всім'.split(
    ' ',
  ),
);
const LONGEST_CHARS = 60;
/** The patterns below try each place of a message, and go on from each as far as punctuation reaches. */
const READ_MAX_CHARS = 1_000;

/** A short reply to a message that is nothing but small talk, in its language; null for anything more. */
export function smallTalkReply(message: string): string | null {
  if (message.length > LONGEST_CHARS) return null;
  const words =
    folded(message)
      .replace(/['’]/g, '')
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const whole = words.join(' ');
  const core = words.filter((word) => !FILLERS.has(word)).join(' ');
  for (const { phrases, replies } of SMALL_TALK) {
    for (const kind of ['greeting', 'thanks', 'goodbye', 'bot'] as const) {
      if (phrases[kind].some((phrase) => phrase === whole || phrase === core)) return replies[kind];
    }
  }
  return null;
}

const OPENING =
  /^[\s\p{P}]*(?:hi|hello|hey|hiya|dear|good (?:morning|afternoon|evening)|hallo|guten (?:tag|morgen|abend)|moin|bonjour|bonsoir|salut|hola|buen[oa]s (?:d[ií]as|tardes|noches)|ol[aá]|oi|bom dia|boa (?:tarde|noite)|ciao|buongiorno|buonasera|salve|hoi|goede(?:morgen|middag|navond|ndag))(?: (?:there|all|everyone|team|guys|zusammen))?[\s,.!:;–-]+/iu;
const CLOSING =
  /[\s,.!?]+(?:many )?(?:thanks|thank you|thx|danke|vielen dank|merci|gracias|obrigad[oa]|grazie|bedankt|dank je)(?: (?:so much|very much|a lot|in advance|im voraus|d'avance))?[\s.!]*$/iu;

/** A clause at the end that only says that something should be done. */
const WHAT_NOW =
  /(?<=\p{L}.{8,})[\s,.!?;:–-]*[,.!?;:–-]\s*(?:what (?:now|next)|what (?:do|can|should|shall) i do(?: now)?|(?:please |pls |can you |could you )?help(?: me)?|any (?:idea|advice|help)s?|was (?:nun|jetzt|tun)|was (?:mache|kann|soll) ich (?:jetzt|nun|tun|machen)|(?:bitte )?hilfe|que faire|que dois-je faire|qu[eé] hago|ayuda|cosa (?:faccio|devo fare)|aiuto|(?:o )?que fa[cç]o|ajuda|wat nu|wat moet ik doen|wat kan ik doen)[\s.!?]*$/iu;

/**
 * The message without its greeting, its thanks and a "what now?", which would count as words that no article knows. What
 * lies behind its first thousand characters is left out.
 */
export function withoutCourtesy(message: string): string {
  const read = message.slice(0, READ_MAX_CHARS).toWellFormed();
  return read.replace(OPENING, '').replace(CLOSING, '').replace(WHAT_NOW, '');
}
