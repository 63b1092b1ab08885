/**
 * One visitor's message to 1,000 sockets of agents that have the chat open, from the call to the last socket, compared
 * with a bare `ws` server that sends the same frames to as many sockets on each call. A few messages are in flight at
 * any time. Foyer also commits each message and notifies each agent's list of chats; the bare server sends that second
 * frame too.
 */
import { sql } from 'kysely';
import { createSite } from '../packages/server/src/sites/sites.ts';
import { type Child, startChild } from './child.ts';
import { addAda, signIn } from './context.ts';
import { type Figure, interleave, rateFigure } from './figures.ts';
import { type World, withWorld } from './foyer.ts';

const SOCKETS = 1_000;
const ROUNDS = 4;
const MESSAGES = 40;

export async function fanOut(): Promise<Figure[]> {
  const children = [
    startChild('fan-out-sockets.ts'),
    startChild('fan-out-sockets.ts'),
    startChild('fan-out-bare.ts'),
  ] as const;
  try {
    return await withWorld((world) => compare(world, ...children));
  } finally {
    for (const child of children) await child.stop();
  }
}

async function compare(
  { foyer, database }: World,
  ours: Child,
  bare: Child,
  server: Child,
): Promise<Figure[]> {
  const { db } = database;
  const { id, publicKey } = await createSite(db, { name: 'Bench', plan: 'growth' });
  await addAda(db, id);
  const cookie = await signIn(foyer.url);
  const sessionId = await ours.ask<string>({ begin: { url: foyer.url, publicKey } });
  await sql`update conversations set status = 'active' where site_id = ${id}`.execute(db);
  const frames = await ours.ask<string[]>({
    open: { url: foyer.url, path: '/app/socket', cookie, sessionId, count: SOCKETS },
  });

  const url = await server.ask<string>({ serve: { frames } });
  await bare.ask({ begin: { url } });
  await bare.ask({ open: { url, path: '/', cookie: '', sessionId: '', count: SOCKETS } });
  const round = (child: Child) => () => child.ask<number>({ run: { messages: MESSAGES } });
  const seen = await interleave(ROUNDS, round(ours), round(bare));
  return [rateFigure(`fan-out to ${SOCKETS} sockets, frames received`, seen, '≥ 60 %')];
}
