import { SYNONYM_GROUPS_MAX, SYNONYMS_IN_GROUP_MAX } from '@foyer/protocol/values/bounds';
import { t } from './t.ts';

const WORD_MAX_CHARS = 60;

/** The groups as text: one per line, words separated by commas. */
export const linesOfGroups = (groups: readonly (readonly string[])[]): string =>
  groups.map((group) => group.join(', ')).join('\n');

/** Parses groups, one per line; `wrong` says what the server would refuse. */
export function groupsOf(text: string): { groups: string[][]; wrong: string | undefined } {
  const lines = text.split('\n').map((line, at) => ({
    number: at + 1,
    words: [...new Set(line.split(/[,;、，]/).map((word) => word.trim()))].filter((word) => word !== ''),
  }));
  const filled = lines.filter(({ words }) => words.length > 0);
  const groups = filled.map(({ words }) => words);
  if (groups.length > SYNONYM_GROUPS_MAX)
    return { groups, wrong: t('synonyms_groups_many', { most: SYNONYM_GROUPS_MAX, number: groups.length }) };
  for (const { number, words } of filled) {
    if (words.length < 2) return { groups, wrong: t('synonyms_one', { line: number }) };
    if (words.length > SYNONYMS_IN_GROUP_MAX)
      return { groups, wrong: t('synonyms_many', { line: number, most: SYNONYMS_IN_GROUP_MAX }) };
    const long = words.find((word) => word.length > WORD_MAX_CHARS);
    if (long !== undefined)
      return { groups, wrong: t('synonyms_long', { line: number, most: WORD_MAX_CHARS }) };
  }
  return { groups, wrong: undefined };
}
