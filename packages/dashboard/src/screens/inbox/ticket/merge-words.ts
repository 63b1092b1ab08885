import { readMergeLine } from '@foyer/protocol/values/merge-lines';
import { exact } from '../../../times.ts';
import { t } from './t.ts';

/** What fills the gaps of every phrase, before a line's own values. */
const NO_VALUES = { subject: '', name: '' };

/** In this desk, whatever address the server had when it wrote the note. */
const linkTo = (id = ''): string => `[#${id}](${location.origin}/app/inbox/tickets/${id})`;

function lineWords(line: string): string {
  const read = readMergeLine(line);
  if (!read) return line;
  const { id, when, ...values } = read.values;
  const at = when === undefined ? '' : exact(`${when.replace(' ', 'T')}Z`);
  return t(`merge_${read.reason}`, { ...NO_VALUES, ...values, ticket: linkTo(id), when: at });
}

/** A note of a merge in the agent's language, with what was said as it was said; any other note stays as it is. */
export function noteWords(text: string): string {
  const [head = '', ...lines] = text.split('\n');
  const about = readMergeLine(head)?.reason;
  if (about !== 'came_in' && about !== 'goes_on') return text;
  return [head, ...lines].map(lineWords).join('\n');
}
