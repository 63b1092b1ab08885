import type { ApiError } from '../../api.ts';
import { tCommon } from '../../t-common.ts';
import { t } from './t.ts';

const partsOf = (text: string, between: RegExp): string[] => [
  ...new Set(
    text
      .split(between)
      .map((part) => part.trim())
      .filter(Boolean),
  ),
];

/** The addresses in a text box, without duplicates. */
export const linesOf = (text: string): string[] => partsOf(text, /[\s,]+/);

/** Phrases in a text box, one per line: unlike addresses they may contain spaces and commas. */
export const phrasesOf = (text: string): string[] => partsOf(text, /\n/);

/** The error of such a list, with the text of its line: among fifty, a number wouldn't help. */
export function faultOfLines(
  { text, label, path }: { text: string; label: string; path: string },
  error: ApiError | undefined,
): string | undefined {
  const issue = error?.issues.find((one) => one.path === path || one.path.startsWith(`${path}.`));
  if (!issue) return undefined;
  const line = issue.path === path ? undefined : linesOf(text)[Number(issue.path.slice(path.length + 1))];
  const named = line === undefined ? label : t('origins_quoted', { text: line });
  return tCommon('field_wrong', { label: named, problem: issue.message });
}
