import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '../src/core/actor.ts';
import { createContext, type SiteContext } from '../src/core/context.ts';
import type { DomainEvent } from '../src/core/domain-event.ts';
import { createEmitter } from '../src/core/events.ts';
import type { AnyOperation } from '../src/core/operation.ts';
import { operations, runOperation } from '../src/registry.ts';
import { startTestApp, type TestApp, type TestSite } from './app.ts';
import { makeRecord } from './examples.ts';
import { inputOf } from './rest-calls.ts';

// Derived from the registry: every operation that writes reports its change, in the transaction of the change.

/** Operations whose example emits nothing, by reason. */
const SILENT: Readonly<Record<string, readonly string[]>> = {
  'It concerns one agent alone, whose browser has the answer.': [
    'first_steps.put_away',
    'me.set_language',
    'me.set_signature',
    'notification_settings.update',
    'push_devices.remove',
  ],
  'It changes no record.': [
    'language_model.test',
    'mail.test',
    'identity_providers.read_metadata',
    'identity_providers.test',
    'mailboxes.test',
    'push_devices.test',
    'article_images.create',
    'conversation_typing.set',
  ],
  'It only counts, and nobody waits for the count.': ['macros.note_use'],
  'A job does the work and reports it.': [
    'imports.create',
    'imports.start',
    'imports.stop',
    'imports.delete',
    'bulk_changes.start',
    'bulk_changes.undo',
    'evaluations.start',
    'evaluations.cancel',
  ],
  'Processes read sites.knowledge_version, which the same transaction counts up; desks ask when they show it.':
    [
      'articles.create',
      'articles.update',
      'articles.delete',
      'articles.save',
      'articles.bulk',
      'copilot.draft_article',
      'article_drafts.save',
      'article_drafts.discard',
      'article_versions.restore',
      'deleted_articles.restore',
      'training_rows.create',
      'training_rows.update',
      'training_rows.delete',
    ],
  'Only one screen of the desk shows it, and asks when it opens.': [
    'question_sets.create',
    'question_sets.update',
    'question_sets.delete',
    'question_sets.import',
    'set_questions.create',
    'set_questions.update',
    'set_questions.delete',
    'gaps.dismiss',
    'gaps.reopen',
  ],
  'The first message of the chat follows it, and is reported.': ['chat.introduce'],
  'Its example finds everything as it should be, and changes nothing.': [
    'chat.mark_read',
    'sessions.give_back',
    'sessions.snooze',
    'tickets.mark_unread',
    'tickets.merge',
    'notifications.see',
    'notifications.tell',
    'samples.create',
  ],
};

/** Operations whose example needs more than a record, by what it needs. Tests of their domains cover them. */
const NOT_RUN: Readonly<Record<string, readonly string[]>> = {
  'an article that the help centre shows': ['help.rate'],
  'a chat that has ended': ['chat.rate'],
  'an installation with one site': ['public_address.set'],
  'a suspended email': ['received_mails.decide_all'],
  'a mail server': ['chat.mail_transcript', 'tickets.retry_mail'],
  'a message in the ticket': ['tickets.undo_reply', 'tickets.split'],
  'the sign-in of a browser': ['push_devices.add'],
  'a mail provider': ['mailboxes.begin_sign_in', 'mailboxes.finish_sign_in'],
};

interface Emission {
  event: DomainEvent;
  inTransaction: boolean;
}

let app: TestApp;
let own: TestSite;

beforeAll(async () => {
  app = await startTestApp();
  own = await app.makeSite();
});
afterAll(() => app.close());

/** A context like the app's own, whose emitter also records the changes. */
function watchedContext(actor: Actor, emissions: Emission[]): SiteContext {
  const context = app.app.contextFor(own.site, actor);
  const emitter = createEmitter(app.app.live.tell);
  return createContext({
    site: own.site,
    actor,
    db: context.db,
    log: context.log,
    services: context.services,
    now: () => context.now(),
    caller: undefined,
    emitter: {
      newChange: () => emitter.newChange(),
      emit(scope, event, afterCommit) {
        if (event.notices?.length || event.webhook || event.audit)
          emissions.push({ event, inTransaction: scope.db.isTransaction });
        return emitter.emit(scope, event, afterCommit);
      },
      emitAll(scope, events, afterCommit) {
        const { isTransaction: inTransaction } = scope.db;
        emissions.push(...events.map((event) => ({ event, inTransaction })));
        return emitter.emitAll(scope, events, afterCommit);
      },
    },
    send: async () => undefined,
  });
}

async function visitorOf(sessionId: string): Promise<Actor> {
  const { rows } = await app.app.database.pool.query(
    'select visitor_id, device_id from conversations where site_id = $1 and session_id = $2',
    [own.site.id, sessionId],
  );
  return {
    kind: 'visitor',
    visitorId: Number(rows[0].visitor_id),
    deviceId: Number(rows[0].device_id),
    verified: false,
  };
}

/** Runs an operation's example as an actor who may. */
async function emissionsOf(operation: AnyOperation): Promise<Emission[]> {
  const emissions: Emission[] = [];
  const input = await inputOf(app, operation, own);
  const isVisitors = operation.who.every((who) => who === 'visitor');
  const sessionId = String(input.session_id ?? (isVisitors ? await makeRecord.session(app, own) : ''));
  const actor: Actor = isVisitors
    ? await visitorOf(sessionId)
    : { kind: 'agent', agentId: own.admin.agentId, name: 'Ada', role: 'admin' };
  await runOperation(operation, watchedContext(actor, emissions), input);
  return emissions;
}

const writes = operations.filter(({ scope }) => scope === 'write').map((one) => [one.name, one] as const);
const silent = Object.values(SILENT).flat();
const notRun = Object.values(NOT_RUN).flat();
const listed = [...silent, ...notRun];

describe.each(writes.filter(([name]) => !listed.includes(name)))('%s', (_name, operation) => {
  it('reports its change in the transaction of the change', async () => {
    const emissions = await emissionsOf(operation);
    expect(emissions.length).toBeGreaterThan(0);
    expect(emissions.filter(({ inTransaction }) => !inTransaction)).toEqual([]);
  });
});

describe.each(writes.filter(([name]) => silent.includes(name)))('%s', (_name, operation) => {
  it('reports nothing, as listed', async () => {
    expect(await emissionsOf(operation)).toEqual([]);
  });
});

it('every operation that is listed is one that writes', () => {
  const names: string[] = writes.map(([name]) => name);
  expect(listed.filter((name) => !names.includes(name))).toEqual([]);
});
