import type { Permission } from '@foyer/protocol/values/sign-in/permissions';
import { AGENT_PERMISSIONS, PERMISSIONS } from '@foyer/protocol/values/sign-in/permissions';
import { describe, expect, it } from 'vitest';
import { mayRun, operations } from '../../registry.ts';
import { permissionFor } from './permissions.ts';

const agentWith = (permissions?: readonly Permission[]) =>
  ({ kind: 'agent', agentId: 1, name: 'Ada', role: 'agent', ...(permissions && { permissions }) }) as const;
const ofDesk = operations.filter(({ who }) => who.includes('agent') || who.includes('admin'));
const named = (some: typeof operations): string[] => some.map(({ name }) => name).toSorted();

/** What agents do with their own records, or without notifying anybody. */
const OPEN = [
  'articles.render',
  'bulk_changes.count',
  'copilot.suggest',
  'copilot.summarise',
  'copilot.rewrite',
  'drafts.save',
  'evaluations.list',
  'first_steps.put_away',
  'inbox_views.create',
  'inbox_views.delete',
  'inbox_views.update',
  'macros.create',
  'macros.delete',
  'macros.update',
  'me.set_language',
  'me.set_picture',
  'me.set_presence',
  'me.set_signature',
  'notification_settings.update',
  'notifications.see',
  'notifications.tell',
  'push_devices.add',
  'push_devices.remove',
  'push_devices.test',
  'sessions.mark_read',
  'sessions.mark_unread',
  'sessions.note',
  'tickets.mark_read',
  'tickets.mark_unread',
  'tickets.reply',
  'visitor_notes.create',
  'visitor_notes.delete',
  'visitor_notes.update',
];

/** With each of these, an agent could become an admin, act without a trace, or cost the owner money. */
const ADMINS_ONLY =
  /^(agents|roles|api_tokens|browser_tokens|identity_secret|identity_providers|public_address|sites)\.|^site\.set_plan$|^mail\.(set|clear)$/;

describe('the permission of an operation', () => {
  it('exists for every change, except those of the agent’s own records', () => {
    const open = ofDesk.filter((one) => one.who.includes('agent') && permissionFor(one) === null);
    expect(named(open.filter(({ scope }) => scope === 'write'))).toEqual(
      OPEN.filter((name) => operations.some((one) => one.name === name && one.scope === 'write')),
    );
  });

  it('exists for everything that only admins do, except what could make an agent an admin', () => {
    const forAdmins = ofDesk.filter(({ who }) => !who.includes('agent'));
    for (const one of forAdmins)
      expect([one.name, permissionFor(one) === null]).toEqual([one.name, ADMINS_ONLY.test(one.name)]);
  });

  it('is used, each of them', () => {
    expect(new Set(ofDesk.map(permissionFor))).toEqual(new Set([...PERMISSIONS, null]));
  });
});

describe('an agent', () => {
  it('without a custom role may do what agents do, and so may a role with all agent permissions', () => {
    const plain = ofDesk.filter((one) => mayRun(one, agentWith()));
    expect(named(plain)).toEqual(named(ofDesk.filter(({ who }) => who.includes('agent'))));
    const custom = ofDesk.filter((one) => mayRun(one, agentWith(AGENT_PERMISSIONS)));
    const lost = plain.filter((one) => !custom.includes(one));
    // The bot's question sets and gaps are open to agents, and in a custom role a permission of their own.
    expect(lost.every((one) => permissionFor(one) === 'bot')).toBe(true);
    expect(named(custom.filter((one) => !plain.includes(one)))).toEqual([]);
  });

  it('with an empty role reads and notes, with a full one does all but what could make them an admin', () => {
    const empty = ofDesk.filter((one) => mayRun(one, agentWith([])));
    expect(empty.every((one) => one.who.includes('agent') && permissionFor(one) === null)).toBe(true);
    const full = ofDesk.filter((one) => !mayRun(one, agentWith(PERMISSIONS)));
    expect(full.every(({ name }) => ADMINS_ONLY.test(name))).toBe(true);
  });

  it('gets with each permission exactly the operations of that permission', () => {
    const empty = named(ofDesk.filter((one) => mayRun(one, agentWith([]))));
    for (const permission of PERMISSIONS) {
      const able = ofDesk.filter((one) => mayRun(one, agentWith([permission])));
      const own = able.filter(({ name }) => !empty.includes(name));
      expect(
        own.map(permissionFor).every((one) => one === permission),
        permission,
      ).toBe(true);
      expect(named(own)).toEqual(named(ofDesk.filter((one) => permissionFor(one) === permission)));
    }
  });
});
