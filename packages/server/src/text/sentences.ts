/** Where a sentence may end: at the space after its mark and closing quotes; in Chinese and Japanese without one. */
const END = /(?<=[.!?…]["'”’»)\]]{0,3})\s+|(?<=[。！？｡][」』”）]{0,3})(?![」』”）。！？｡])/gu;
const ABBREVIATION =
  /(?:^|[\s(])(?:\p{L}|e\.g|i\.e|z\.\s?b|d\.h|u\.a|p\.ex|p\.m|a\.m|approx|ca|circa|etc|incl|excl|max|min|no|nr|nos|mr|mrs|ms|dr|st|vs|bzw|usw|inkl|zzgl|evtl|tel|art|fig|sr|sra|mme|núm|num|pág)\.$/iu;
const ABBREVIATION_REACH = 12;

/**
 * Ranges of the sentences in a text. No boundary where `isCuttable` says no (within a link, within
 * code), nor after an abbreviation, nor before a lower-case letter.
 */
export function splitSentences(text: string, isCuttable: (at: number) => boolean): [number, number][] {
  const ranges: [number, number][] = [];
  let start = 0;
  for (const match of text.matchAll(END)) {
    const end = match.index + match[0].length;
    if (end >= text.length || !isCuttable(end) || !endsSentence(text, match.index, end)) continue;
    ranges.push([start, end]);
    start = end;
  }
  if (start < text.length) ranges.push([start, text.length]);
  return ranges;
}

function endsSentence(text: string, markEnd: number, next: number): boolean {
  if (/^\p{Ll}/u.test(text.slice(next, next + 2))) return false;
  if (text[markEnd - 1] !== '.' || text[markEnd - 2] === '.') return true;
  return !ABBREVIATION.test(text.slice(Math.max(0, markEnd - ABBREVIATION_REACH), markEnd));
}
