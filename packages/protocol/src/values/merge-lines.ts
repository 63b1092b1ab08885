import { readerOf } from './sentences.ts';

/** What the notes of a merge of tickets say beside what was said in them. The desk reads these lines back. */
export const MERGE_LINES = {
  goes_on: 'This ticket was merged into [#{id}]({address}).',
  came_in: '[#{id}]({address}) “{subject}” was merged into this ticket.',
  requester_said: '**Requester**, {when} UTC:',
  said: '**{name}**, {when} UTC:',
  rest: 'The rest is in [#{id}]({address}).',
} as const;

/** What a line of such a note says; nothing for what was said. */
export const readMergeLine = readerOf(MERGE_LINES, {
  id: '\\d+',
  address: '\\S+',
  subject: '.*',
  name: '.+',
  when: '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d',
});
