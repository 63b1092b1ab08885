import { randomUUID } from 'node:crypto';
import { createClient } from '@foyer/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findRunningPostgres } from '../../src/db/embedded/embedded.ts';
import type { Json } from '../app.ts';
import { type Installation, makeInstallation } from '../foyer-process.ts';
import { TEST_SECRET, until } from '../harness.ts';
import { answerWith, type Receiver, startReceiver } from '../receiver.ts';
import { makeStand, type Stand } from '../stand.ts';

// One of two processes on a database is killed while programs send messages over REST and read the stream of events.

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

/** A message by its chat and number: what REST, webhooks and streams name alike. */
const nameOf = (of: { session_id: string; message: { seq: number } }): string =>
  `${of.session_id} ${of.message.seq}`;

/** Reads the stream at one process from an event on, until it is stopped. */
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

/** Programs that send one message after the other until they are stopped, each again until it is acknowledged. */
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
    /** Stops, and sends all once more. */
    async stop(): Promise<Sent[]> {
      stopped = true;
      await ended;
      for (const message of sent) await send(message);
      return sent;
    },
  };
}

it('each message is stored once and told at least once, and the stream goes on at the other process', async () => {
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
  // Otherwise the client would come back by itself.
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
