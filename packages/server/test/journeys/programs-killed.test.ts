import { randomUUID } from 'node:crypto';
import { createClient } from '@foyer/client';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findRunningPostgres } from '../../src/db/embedded/embedded.ts';
import type { Json } from '../app.ts';
import { type Installation, makeInstallation } from '../foyer-process.ts';
import { TEST_SECRET, until } from '../harness.ts';
import { answerWith, type Receiver, startReceiver } from '../receiver.ts';
import { makeStand, type Stand } from '../stand.ts';
import { holdUp } from '../waiting.ts';

// Processes on one database are killed while programs send messages over REST and read the stream of events, and while
// the recurring job for SLAs reports.

let stand: Stand;
let beside: Installation;
let receiver: Receiver;
beforeAll(async () => {
  stand = await makeStand({ FOYER_SECRET: TEST_SECRET });
  const postgres = await findRunningPostgres(stand.foyer.dataDir);
  const shared = { FOYER_SECRET: TEST_SECRET, DATABASE_URL: postgres?.url ?? '' };
  beside = await makeInstallation({ ...shared, FOYER_WEBHOOK_ALLOW_PRIVATE: 'true' });
  await beside.start();
  receiver = await startReceiver(answerWith(204));
  await stand.rest('POST', '/v1/webhook_subscriptions', { url: receiver.url, events: ['message_created'] });
});
afterAll(async () => {
  await beside.remove();
  await receiver.close();
  await stand.strike();
});

/** A message's chat and number, which REST, webhooks and streams have in common. */
const nameOf = (of: { session_id: string; message: { seq: number } }): string =>
  `${of.session_id} ${of.message.seq}`;

/** Reads the stream of one process, starting after an event, until it is stopped. */
async function listen(url: string, lastEventId?: string) {
  const end = new AbortController();
  const heard: string[] = [];
  const place = { last: lastEventId ?? '' };
  const opened = Promise.withResolvers<void>();
  const events = createClient({ baseUrl: url, token: stand.token }).stream({
    types: ['message_created'],
    signal: end.signal,
    ...(lastEventId === undefined ? {} : { lastEventId }),
    onOpen(id) {
      if (heard.length === 0) place.last = id;
      opened.resolve();
    },
    onReset: () => opened.reject(new Error('events were missed')),
  });
  const ended = (async () => {
    for await (const { streamId, data } of events) {
      heard.push(nameOf(data));
      place.last = streamId;
    }
  })();
  await opened.promise;
  const stop = (): Promise<void> => {
    end.abort();
    return ended.catch(() => undefined);
  };
  return { heard, place, stop };
}

interface Sent {
  session_id: string;
  client_id: string;
  text: string;
}

/** Programs that send messages in sequence until they are stopped, each again until it is acknowledged. */
function startSenders(senders: readonly object[]) {
  const sent: Sent[] = [];
  const stored = new Map<string, string>();
  const send = (message: Sent): Promise<void> =>
    until(async () => {
      const answer = await stand.rest('POST', '/v1/conversation_messages', message).catch(() => undefined);
      if (!answer || answer.status >= 500) return false;
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
      const name = nameOf({ ...message, message: answer.body.data });
      expect(stored.get(message.client_id) ?? name, 'the same message again').toBe(name);
      stored.set(message.client_id, name);
      return true;
    });
  let stopped = false;
  const ended = Promise.all(
    senders.map(async (sender) => {
      while (!stopped) {
        const message = { ...sender, client_id: randomUUID(), text: `Message ${sent.length}` } as Sent;
        sent.push(message);
        await send(message);
      }
    }),
  );
  return {
    stored,
    /** Stops, and sends all messages once more. */
    async stop(): Promise<Sent[]> {
      stopped = true;
      await ended;
      for (const message of sent) await send(message);
      return sent;
    },
  };
}

it('each message is stored once and streamed at least once, and the stream continues at the other process', async () => {
  const [bots, ours] = await Promise.all(
    ['user_1', 'user_2'].map(async (key): Promise<string> => {
      const { body } = await stand.rest('POST', '/v1/conversations', { key, text: 'Hello' });
      return body.data.session_id;
    }),
  );
  const me = (await stand.desk(await stand.signIn(), 'me.get')).body.data;
  const first = await listen(stand.url);
  const senders = startSenders([
    { session_id: bots, sender: 'bot' },
    { session_id: ours, sender: 'agent', agent_id: me.agent.id },
  ]);
  await until(async () => first.heard.length >= 10);
  await stand.foyer.end('SIGKILL');
  // Otherwise the client would reconnect automatically.
  await first.stop();
  const second = await listen(beside.url, first.place.last);
  await stand.foyer.start();
  const enough = senders.stored.size + 10;
  await until(async () => senders.stored.size >= enough);
  await stand.foyer.end('SIGKILL');
  await stand.foyer.start();
  await until(async () => senders.stored.size >= enough + 10);
  const sent = await senders.stop();

  const found: string[] = [];
  for (const session_id of [bots, ours]) {
    const { body } = await stand.rest('GET', `/v1/conversation_messages?session_id=${session_id}&limit=200`);
    const seqs: number[] = body.data.map(({ seq }: Json) => seq);
    expect(seqs).toEqual(seqs.map((_, at) => at + 1));
    found.push(...body.data.map(({ client_id }: Json) => client_id));
  }
  expect(found.filter((id) => senders.stored.has(id)).toSorted()).toEqual(
    sent.map(({ client_id }) => client_id).toSorted(),
  );
  const names = [...senders.stored.values()].toSorted();
  const told = () => new Set(receiver.requests.map(({ body }) => nameOf(JSON.parse(body))));
  await until(async () => names.every((name) => told().has(name)));
  const heard = () => [...first.heard, ...second.heard].filter((name) => names.includes(name));
  await until(async () => heard().length >= names.length);
  expect(heard().toSorted()).toEqual(names);
  await second.stop();
});

/** Backdates these chats by so many minutes; the recurring job checks them now. */
const moveBack = (ids: readonly string[], minutes: number): Promise<unknown> =>
  sql`
    with chat as (
      update conversations set started_at = now() - ${minutes}::integer * interval '1 minute'
      where session_id = any (${ids}::text[]) returning site_id, id, started_at
    ), handoff as (
      update handoffs h set created_at = chat.started_at from chat
      where h.site_id = chat.site_id and h.conversation_id = chat.id
    )
    update chat_slas s set event_at = now() from chat
    where s.site_id = chat.site_id and s.conversation_id = chat.id`.execute(stand.database.db);

/** The chats for which somebody has a notification of this kind. */
async function unseen(kind: string): Promise<string[]> {
  const { rows } = await sql<{ sessionId: string }>`
    select c.session_id as "sessionId" from notifications n
    join conversations c on c.site_id = n.site_id and c.id = n.conversation_id
    where n.kind = ${kind} and n.seen_at is null order by c.session_id collate "C"`.execute(
    stand.database.db,
  );
  return rows.map(({ sessionId }) => sessionId);
}

it('each chat has one warning and is reported late once, though every process dies while reporting', async () => {
  const events = ['sla_warning', 'sla_breached'] as const;
  const make = async (path: string, body: object): Promise<Json> => {
    const answer = await stand.rest('POST', `/v1/${path}`, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body.data;
  };
  await make('webhook_subscriptions', { url: receiver.url, events });
  const targets = { first_response: { normal: 10 } };
  await make('sla_policies', { name: 'Chats', applies_to: ['chats'], targets, warn_minutes: 4 });
  const ids = await Promise.all(
    ['user_3', 'user_4', 'user_5'].map(async (key): Promise<string> => {
      const { session_id } = await make('conversations', { key, text: 'Hello' });
      const at = `/v1/conversations?session_id=${session_id}`;
      await stand.rest('PATCH', at, { status: 'waiting' });
      await until(async () => (await stand.rest('GET', at)).body.data.sla !== null);
      return session_id;
    }),
  );
  const database = (await findRunningPostgres(stand.foyer.dataDir))?.url ?? '';
  const told = new Map<string, string>();
  const note = (): number => {
    for (const { body } of receiver.requests) {
      const { id, event, session_id } = JSON.parse(body);
      if (events.includes(event)) told.set(id, `${event} ${session_id}`);
    }
    return told.size;
  };
  const rounds = [
    ['sla_warning', 8, beside, stand.foyer],
    ['sla_breached', 20, stand.foyer, beside],
  ] as const;
  for (const [kind, minutes, next, other] of rounds) {
    const holder = await holdUp(database);
    await holder.query('lock table notifications in share row exclusive mode');
    const before = note();
    await moveBack(ids, minutes);
    await holder.awaited();
    await Promise.all([next.end('SIGKILL'), other.end('SIGKILL')]);
    await holder.commit();
    expect(note(), 'nothing is told of what was not stored').toBe(before);
    await next.start();
    await until(async () => note() >= before + ids.length && (await unseen(kind)).length >= ids.length);
    expect(await unseen(kind)).toEqual(ids.toSorted());
    await other.start();
  }
  expect([...told.values()].toSorted()).toEqual(
    events.flatMap((kind) => ids.map((id) => `${kind} ${id}`)).toSorted(),
  );
});
