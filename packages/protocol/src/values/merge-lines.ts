import { readerOf } from './sentences.ts';

/** The lines that merging tickets adds to its notes. The desk recognises and translates them. */
export const MERGE_LINES = {
  goes_on: 'This ticket was merged into [#{id}]({address}).',
  came_in: '[#{id}]({address}) “{subject}” was merged into this ticket.',
  requester_said: '**Requester**, {when} UTC:',
  said: '**{name}**, {when} UTC:',
  rest: 'The rest is in [#{id}]({address}).',
} as const;

/** The meaning of such a line; undefined for any other text. */
export const readMergeLine = readerOf(MERGE_LINES, {
  id: '\\d+',
  address: '\\S+',
  subject: '.*',
  name: '.+',
  when: '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d',
});
