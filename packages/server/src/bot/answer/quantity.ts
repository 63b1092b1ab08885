import { folded } from '../../text/words.ts';

const TIME_UNIT =
  '(?:minute|hour|day|week|month|year|minut|stund|tag|woche|monat|jahr|heure|jour|semaine|mois|an|hora|dia|semana|mes|ano|ora|giorn|settiman|uur|dag|wek|maand|jaar)';
const NUMBER =
  '(?:\\d[\\d.,–-]{0,20}|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fourteen|thirty)';
/** A word may stand between: "4 working days". */
const TIME = new RegExp(`\\b${NUMBER}\\s+(?:\\p{L}+\\s+)?${TIME_UNIT}`, 'u');
const MONEY = /[€$£¥]\s?\d|\d\s?(?:€|\$|£|euros?|dollars?|pounds?|eur|usd|gbp)\b|\bfree\b/u;

const ASKS_TIME =
  /\b(?:how (?:long|soon|quickly|fast)|wie lange|wie schnell|combien de temps|cuanto tiempo|quanto tempo|hoe lang)\b/;
const ASKS_MONEY =
  /\b(?:how much|what (?:do|does|is|are)\b.{0,200}\b(?:cost|price|fee)s?|wie ?viel kostet|was kostet|combien coute|cuanto cuesta|quanto costa|quanto custa|hoeveel kost|wat kost)/;
const ASKS_NUMBER =
  /\b(?:how many|wie ?viele|combien de|cuantos|cuantas|quanti|quante|quantos|quantas|hoeveel)\s+(\p{L}{3,})/u;

/**
 * What a sentence must hold to answer a question for a quantity: a length of time, a price, so many of a thing.
 * Null for every other question.
 */
export function wantedQuantity(question: string): RegExp | null {
  const text = folded(question);
  const counted = ASKS_NUMBER.exec(text)?.[1];
  // A plural loses its end: "days" finds "30-day" and "30 days".
  if (counted !== undefined)
    return new RegExp(
      `\\b${NUMBER}[\\s-]+(?:\\p{L}+\\s+)?${counted.slice(0, Math.max(3, counted.length - 2))}`,
      'u',
    );
  if (ASKS_TIME.test(text)) return TIME;
  if (ASKS_MONEY.test(text)) return MONEY;
  return null;
}
