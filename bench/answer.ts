/**
 * How long a visitor waits for the built-in bot: from the acknowledgement that a question is committed to the bot's
 * message on the same socket. With the demo's articles, one question at a time, one visitor after another.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { importArticles } from '../packages/server/src/knowledge/transfer/import.ts';
import { createSite, getSite } from '../packages/server/src/sites/sites.ts';
import { TestSocket } from '../packages/server/test/sockets.ts';
import { contextOf } from './context.ts';
import { type Figure, ms, NONE, quantile } from './figures.ts';
import { type World, withWorld } from './foyer.ts';

const ARTICLES = new URL('../packages/server/src/cli/sample-articles.md', import.meta.url);
const QUESTIONS = [
  'How can I track my order?',
  'How do I return something?',
  'How long does delivery take?',
  'Is the floor lamp dimmable?',
  'Who won the election?',
];
const VISITORS = 40;

/** Milliseconds from the commit of each question to its answer. */
async function waits({ foyer }: World, publicKey: string): Promise<number[]> {
  const { socket } = await TestSocket.visitor(foyer.url, publicKey);
  const times: number[] = [];
  let sessionId: string | null = null;
  for (const text of QUESTIONS) {
    const sent = (await socket.call('chat.send', {
      session_id: sessionId,
      client_id: randomUUID(),
      text,
    })) as {
      session: { session_id: string } | null;
      message: { seq: number };
    };
    const from = performance.now();
    if (sent.session) {
      sessionId = sent.session.session_id;
      await socket.subscribe(sessionId);
    }
    await socket.next('message', ({ message }) => message.sender === 'bot' && message.seq > sent.message.seq);
    times.push(performance.now() - from);
  }
  socket.cut();
  return times;
}

export function answer(): Promise<Figure[]> {
  return withWorld(async (world) => {
    const { id } = await createSite(world.database.db, { name: 'Bench', plan: 'growth' });
    await importArticles(contextOf(world.database.db, id), readFileSync(ARTICLES, 'utf8'));
    const { public_key } = await getSite(world.database.db, id);
    await waits(world, public_key);
    const times: number[] = [];
    for (let visitor = 0; visitor < VISITORS; visitor += 1) times.push(...(await waits(world, public_key)));
    return [
      {
        what: 'first words of the built-in bot after the commit, p50, p95',
        ours: `${ms(quantile(times, 0.5))}, ${ms(quantile(times, 0.95))}`,
        bare: NONE,
        ratio: NONE,
        wanted: 'p95 < 150 ms',
      },
    ];
  });
}
