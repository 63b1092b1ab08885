import { expect, test } from 'vitest';
import { PASSWORD } from './accounts.ts';
import { answerOf } from './app.ts';
import { describeWithRedis } from './describe-with-redis.ts';
import { newAgent, openSiteFixture } from './fixtures/sites.ts';
import { type Installation, makeInstallation } from './foyer-process.ts';
import { TEST_SECRET, until } from './harness.ts';
import { type RedisServer, startRedis } from './redis-server.ts';
import { TestSocket } from './sockets.ts';
import { openChat } from './stand.ts';

// Three processes, each of which has to know who is present on the others; one is killed.

interface Stand {
  processes: [Installation, Installation, Installation];
  publicKey: string;
  siteId: number;
  /** Signs in an agent of the site and opens their desk on a process. */
  desk(process: Installation): Promise<{ id: number; cookie: string; socket: TestSocket }>;
}

async function signIn(url: string, email: string): Promise<string> {
  const headers = { 'content-type': 'application/json', origin: url };
  const body = JSON.stringify({ email, password: PASSWORD });
  const response = await fetch(`${url}/app/auth/sign-in/email`, { method: 'POST', headers, body });
  if (response.status !== 200) throw new Error(await response.text());
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

async function withProcesses(environment: Record<string, string>, work: (stand: Stand) => Promise<void>) {
  const fixture = await openSiteFixture();
  const { site, operator } = await fixture.newSite();
  const { public_key: publicKey } = await fixture.db
    .selectFrom('sites')
    .select('public_key')
    .where('id', '=', site.id)
    .executeTakeFirstOrThrow();
  const make = () =>
    makeInstallation({ ...environment, DATABASE_URL: fixture.url, FOYER_SECRET: TEST_SECRET });
  const processes: Stand['processes'] = [await make(), await make(), await make()];
  await Promise.all(processes.map((one) => one.start()));
  const desk: Stand['desk'] = async ({ url }) => {
    const { id, email } = await newAgent(operator, 'admin');
    const cookie = await signIn(url, email);
    return { id, cookie, socket: await TestSocket.agent(url, cookie) };
  };
  try {
    await work({ processes, publicKey, siteId: site.id, desk });
  } finally {
    await Promise.all(processes.map((one) => one.remove()));
    await fixture.close();
  }
}

/** Who is online, according to a process without a socket of the site. */
async function onlineAt({ url }: Installation, cookie: string): Promise<number[]> {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie, origin: url },
    body: '{}',
  };
  const { body } = await fetch(`${url}/app/api/agents.list`, init).then(answerOf);
  const agents: { id: number; online: boolean }[] = body.data.agents;
  return agents.filter(({ online }) => online).map(({ id }) => id);
}

const view = ({ socket }: { socket: TestSocket }, session_id: string): void =>
  socket.send({ type: 'viewing', session_id, ticket_id: null, replying: false });
const seen = async (socket: TestSocket, ids: number[]): Promise<void> =>
  void (await socket.next('viewers', ({ viewers }) => `${viewers.map(({ id }) => id)}` === `${ids}`));

/** @param inspect checks details of one bus, while two processes have desks and the third has none */
async function everybodyIsKnown(
  { processes: [one, two, three], desk, publicKey, siteId }: Stand,
  inspect: (siteId: number) => Promise<void>,
): Promise<void> {
  const ada = await desk(one);
  const ben = await desk(two);
  await ada.socket.next('presence', ({ online_agent_ids }) => online_agent_ids.includes(ben.id));
  const cookie = ada.cookie;
  await until(async () => `${await onlineAt(three, cookie)}` === `${[ada.id, ben.id]}`);
  await inspect(siteId);
  const { socket: visitor, id } = await openChat({ url: two.url, publicKey });
  view(ada, id);
  await seen(ada.socket, [ada.id]);
  view(ben, id);
  for (const { socket } of [ada, ben]) await seen(socket, [ada.id, ben.id]);
  // A later agent sees at once who is online, and what they look at.
  const cem = await desk(three);
  const ready = await cem.socket.next('ready');
  expect(ready.online_agent_ids).toEqual(expect.arrayContaining([ada.id, ben.id]));
  view(cem, id);
  for (const { socket } of [ada, ben, cem]) await seen(socket, [ada.id, ben.id, cem.id]);
  await one.end('SIGKILL');
  for (const { socket } of [ben, cem]) await seen(socket, [ben.id, cem.id]);
  for (const { socket } of [ben, cem])
    await socket.next('presence', ({ online_agent_ids }) => `${online_agent_ids}` === `${[ben.id, cem.id]}`);
  await until(async () => `${await onlineAt(three, cookie)}` === `${[ben.id, cem.id]}`);
  expect((await openChat({ url: three.url, publicKey })).welcome.agents_online).toBe(true);
  for (const { socket } of [ben, cem]) socket.cut();
  visitor.cut();
  await until(async () => (await onlineAt(two, cookie)).length === 0);
}

test('over PostgreSQL everybody is online on each of three processes, until their own is killed', () =>
  withProcesses({}, (stand) => everybodyIsKnown(stand, async () => undefined)));

describeWithRedis('over Redis', () => {
  test('everybody is online on each of three processes, until their own is killed; only two subscribe to the site', async () => {
    const redis: RedisServer = await startRedis();
    const channels = async (siteId: number): Promise<string> => {
      const [name = ''] = (await redis.ask('PUBSUB', 'CHANNELS', `*bus:site:${siteId}`)).split('\n');
      return redis.ask('PUBSUB', 'NUMSUB', name);
    };
    await withProcesses({ REDIS_URL: redis.url }, (stand) =>
      everybodyIsKnown(stand, async (siteId) => expect(await channels(siteId)).toMatch(/\n2$/)),
    ).finally(redis.close);
  });
});
