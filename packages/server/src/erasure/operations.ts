import { type AnyOperation, operation } from '../core/operation.ts';
import { eraseVisitor } from './erase-visitor.ts';

/** Erasing a person, in every domain that has their data. */
export const erasureOperations: AnyOperation[] = [
  operation({
    name: 'visitors.erase',
    audit: 'visitor',
    summary: 'Erase a visitor, their events, and their identity in chats',
    who: ['token', 'admin'],
    scope: 'write',
    rest: { resource: 'visitors', method: 'DELETE' },
    records: { key: 'visitor' },
    tool: {
      name: 'erase_visitor',
      description:
        'Permanently erase a visitor: their events, and their name and email in chats, tickets and webhooks. Use it only for a request for erasure; it can’t be undone.',
      destructive: true,
    },
    run: (ctx, { key }) => eraseVisitor(ctx, key),
  }),
];
