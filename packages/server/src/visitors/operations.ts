import { type AnyOperation, operation } from '../core/operation.ts';
import { trackEvent } from './events/track.ts';
import { findVisitors, isNewVisitor, keyAlone, upsertVisitor } from './visitors.ts';

export const visitorOperations: AnyOperation[] = [
  operation({
    name: 'visitors.find',
    summary: 'List visitors, newest first, or read one by key with its events',
    who: ['token', 'agent'],
    scope: 'read',
    rest: { resource: 'visitors', method: 'GET' },
    records: { key: 'visitor', segment: 'segment' },
    tool: {
      name: 'find_visitors',
      description:
        'Find visitors. With `key`, read one visitor: attributes, segments and recent events. Otherwise list them, newest first: `q` searches names, emails and keys and tolerates typing errors, `email` is an exact email address, `segment` a segment’s id from list_segments.',
    },
    mayLag: ({ key, q }) => key === undefined && q !== undefined,
    run: findVisitors,
  }),
  operation({
    name: 'visitors.upsert',
    summary: 'Create or update a visitor by key; previous_key merges an anonymous visitor into it',
    who: ['token', 'browser', 'agent'],
    scope: 'write',
    rest: { resource: 'visitors', method: 'POST', createsWhen: isNewVisitor, inPage: keyAlone },
    tool: {
      name: 'update_visitor',
      description:
        'Create or update a visitor by key: omitted fields stay as they are, null clears a field, `attributes` are merged with the existing ones. Returns the visitor with its current segments. `previous_key` permanently merges an anonymous visitor (anon_…) into it.',
      idempotent: true,
    },
    run: upsertVisitor,
  }),
  operation({
    name: 'track.create',
    summary: 'Record an event of a visitor; an unknown key creates the visitor',
    who: ['token', 'browser', 'agent'],
    scope: 'write',
    rest: { resource: 'track', method: 'POST', creates: true },
    tool: {
      name: 'track_event',
      description:
        'Record an event of a visitor, such as the outcome of a ticket: agents see it next to the chat, and segments can count it. An unknown key creates the visitor. Two calls record two events.',
    },
    run: trackEvent,
  }),
];
