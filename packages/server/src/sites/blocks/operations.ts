import type { AnyOperation } from '../../core/operation.ts';
import { resourceOperations } from '../../core/resource.ts';
import { createBlock, deleteBlock, listBlocks, updateBlock } from './blocks.ts';

/** A site's blocks. */
export const blockOperations: AnyOperation[] = resourceOperations({
  name: 'blocks',
  record: 'block',
  who: ['token', 'agent'],
  audit: 'block',
  list: {
    summary: 'List what is blocked: email addresses, IP addresses, countries and phrases',
    tool: 'List what the site blocks, newest first: email addresses and domains, IP addresses and ranges, countries and phrases, with notes, expiry and how often each applied.',
    run: listBlocks,
  },
  create: {
    summary: 'Block an email address or domain, an IP address or range, a country or a phrase',
    tool: 'Block an email address or domain (`email`), an IP address or range (`address`), a country (`country`, two letters) or words of messages (`phrase`). New chats and tickets that it applies to are marked as spam, and emails of blocked senders are rejected; the people concerned don’t notice.',
    records: { ticket_id: 'ticket' },
    run: createBlock,
  },
  update: {
    summary: 'Change the note or the expiry of a block',
    tool: 'Change the note or the expiry of a block.',
    run: updateBlock,
  },
  delete: {
    summary: 'Remove a block',
    tool: 'Remove a block by its id from list_blocks. Chats and tickets that it marked stay spam.',
    run: deleteBlock,
  },
});
