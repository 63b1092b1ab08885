import { readMergeLine } from '@foyer/protocol/values/merge-lines';
import { exact } from '../../../times.ts';
import { t } from './t.ts';

/** Defaults for every phrase's placeholders. */
const NO_VALUES = { subject: '', name: '' };

/** A link within this desk, whatever address the server had when it wrote the note. */
const linkTo = (id = ''): string => `[#${id}](${location.origin}/app/inbox/tickets/${id})`;

function lineWords(line: string): string {
  const read = readMergeLine(line);
  if (!read) return line;
  const { id, when, ...values } = read.values;
  const at = when === undefined ? '' : exact(`${when.replace(' ', 'T')}Z`);
  return t(`merge_${read.reason}`, { ...NO_VALUES, ...values, ticket: linkTo(id), when: at });
}

/** The note of a merge in the agent's language, with quoted messages as they were; any other note unchanged. */
export function noteWords(text: string): string {
  const [head = '', ...lines] = text.split('\n');
  const about = readMergeLine(head)?.reason;
  if (about !== 'came_in' && about !== 'goes_on') return text;
  return [head, ...lines].map(lineWords).join('\n');
}
