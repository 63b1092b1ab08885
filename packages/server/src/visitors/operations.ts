import { type AnyOperation, operation } from '../core/operation.ts';
import { trackEvent } from './events/track.ts';
import { findVisitors, isNewVisitor, keyAlone, upsertVisitor } from './visitors.ts';

export const visitorOperations: AnyOperation[] = [
  operation({
    name: 'visitors.find',
    summary: 'One visitor by its key, with its events; else the visitors, newest first',
    who: ['token', 'agent'],
    scope: 'read',
    rest: { resource: 'visitors', method: 'GET' },
    records: { key: 'visitor', segment: 'segment' },
    tool: {
      name: 'find_visitors',
      description:
        'Who the site’s visitors are. With `key` one visitor: attributes, segments, and what it did last. Else a list, newest first: `q` finds by name, e-mail address or key and forgives slips of the pen, `email` takes a whole address, `segment` a segment’s id from list_segments.',
    },
    run: findVisitors,
  }),
  operation({
    name: 'visitors.upsert',
    summary: 'Make or change the visitor of a key; previous_key folds an anonymous visitor in',
    who: ['token', 'browser', 'agent'],
    scope: 'write',
    rest: { resource: 'visitors', method: 'POST', createsWhen: isNewVisitor, inPage: keyAlone },
    tool: {
      name: 'update_visitor',
      description:
        'Make or change the visitor of a key: what is left out stays, null clears, `attributes` are merged into those that are there. Answers the visitor with the segments that it is in now. `previous_key` folds an anonymous visitor (anon_…) into it for good.',
      idempotent: true,
    },
    run: upsertVisitor,
  }),
  operation({
    name: 'track.create',
    summary: 'Record an event of a visitor; an unknown key makes the visitor',
    who: ['token', 'browser', 'agent'],
    scope: 'write',
    rest: { resource: 'track', method: 'POST', creates: true },
    tool: {
      name: 'track_event',
      description:
        'Record that a visitor did something, such as the outcome of a ticket: agents see it beside the chat, and segments may count it. An unknown key makes the visitor. Two calls are two events.',
    },
    run: trackEvent,
  }),
];
