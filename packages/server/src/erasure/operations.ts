import { type AnyOperation, operation } from '../core/operation.ts';
import { eraseVisitor } from './erase-visitor.ts';

/** Forgetting a person, in every domain that knows them. */
export const erasureOperations: AnyOperation[] = [
  operation({
    name: 'visitors.erase',
    audit: 'visitor',
    summary: 'Erase a visitor, its events and the identity in its chats',
    who: ['token', 'admin'],
    scope: 'write',
    rest: { resource: 'visitors', method: 'DELETE' },
    records: { key: 'visitor' },
    tool: {
      name: 'erase_visitor',
      description:
        'Erase a person for good: the visitor, its events, and its name and address in chats, tickets and webhooks. Only on a request for erasure; nothing brings it back.',
      destructive: true,
    },
    run: (ctx, { key }) => eraseVisitor(ctx, key),
  }),
];
