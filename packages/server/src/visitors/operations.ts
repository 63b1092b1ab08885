import { type AnyOperation, operation } from '../operation.ts';
import { eraseVisitor } from './erase.ts';
import { trackEvent } from './track.ts';
import { findVisitors, isNewVisitor, upsertVisitor } from './visitors.ts';

export const visitorOperations: AnyOperation[] = [
  operation({
    name: 'visitors.find',
    summary: 'One visitor by its key, with its events; else the visitors, newest first',
    who: ['token', 'agent'],
    scope: 'read',
    rest: { resource: 'visitors', method: 'GET' },
    records: { key: 'visitor' },
    run: findVisitors,
  }),
  operation({
    name: 'visitors.upsert',
    summary: 'Make or change the visitor of a key; previous_key folds an anonymous visitor in',
    who: ['token', 'agent'],
    scope: 'write',
    rest: { resource: 'visitors', method: 'POST', createsWhen: isNewVisitor },
    run: upsertVisitor,
  }),
  operation({
    name: 'visitors.erase',
    summary: 'Erase a visitor, its events and the identity in its chats',
    who: ['token', 'admin'],
    scope: 'write',
    rest: { resource: 'visitors', method: 'DELETE' },
    records: { key: 'visitor' },
    run: (ctx, { key }) => eraseVisitor(ctx, key),
  }),
  operation({
    name: 'track.create',
    summary: 'Record an event of a visitor; an unknown key makes the visitor',
    who: ['token', 'agent'],
    scope: 'write',
    rest: { resource: 'track', method: 'POST', creates: true },
    run: trackEvent,
  }),
];
