import type { AnyOperation } from '../core/operation.ts';
import { resourceOperations } from '../core/resource.ts';
import { createProactive, deleteProactive, listProactive, updateProactive } from './messages.ts';

/** Messages that pages show automatically: everybody reads them, admins and tokens change them. */
export const proactiveOperations: AnyOperation[] = resourceOperations({
  name: 'proactive_messages',
  record: 'proactive_message',
  who: ['token', 'agent'],
  writers: ['token', 'admin'],
  audit: 'proactive_message',
  list: {
    summary: 'List proactive messages in their order with their counts, or read one by id',
    records: { id: 'proactive_message' },
    tool: 'List the site’s proactive messages in their order: texts by language, pages, time on the page, audience, schedule, and how many visitors have seen, opened and answered each.',
    run: listProactive,
  },
  create: {
    summary: 'Create a proactive message',
    tool: 'Create a message that pages show to visitors automatically, as a bubble above the chat’s button. `texts` is markdown by language. It is shown once per visitor, only after `enabled: true`.',
    run: createProactive,
  },
  update: {
    summary: 'Change, enable or disable a proactive message',
    tool: 'Change a proactive message. `texts` replaces all texts. Visitors who have seen it don’t see it again.',
    run: updateProactive,
  },
  delete: {
    summary: 'Delete a proactive message and its counts',
    tool: 'Delete a proactive message by its id from list_proactive_messages, with its counts. Disable it instead (update_proactive_message) to keep them.',
    run: (ctx, { id }) => deleteProactive(ctx, id),
  },
});
