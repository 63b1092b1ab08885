import { randomUUID } from 'node:crypto';
import type { InputOf, OperationName, OutputOf } from '@foyer/protocol';
import type { App } from '../app.ts';
import { takeTurns } from '../bot/turn.ts';
import type { Actor, Site, SiteContext } from '../context.ts';
import { findOperation, mayRun, runOperation } from '../registry.ts';
import { markSamples } from '../samples/mark-samples.ts';
import { openDevice } from '../visitors/devices.ts';

interface Guest {
  key: string;
  name: string;
  email: string;
}

const MIRA: Guest = { key: 'demo-mira', name: 'Mira Lindqvist', email: 'mira@visitor.example' };
const JONAS: Guest = { key: 'demo-jonas', name: 'Jonas Weber', email: 'jonas@visitor.example' };
const PRIYA: Guest = { key: 'demo-priya', name: 'Priya Nair', email: 'priya@visitor.example' };

interface Stage {
  app: App;
  site: Site;
  agent: Extract<Actor, { kind: 'agent' }>;
  pageUrl: string;
}

async function run<N extends OperationName>(
  ctx: SiteContext,
  name: N,
  input: InputOf<N>,
): Promise<OutputOf<N>> {
  const operation = findOperation(name);
  if (!operation || !mayRun(operation, ctx.actor)) throw new Error(`the demo may not run ${name}`);
  return (await runOperation(operation, ctx, input)) as OutputOf<N>;
}

/** A visitor at the door, and whoever speaks for the bot. */
interface Visit {
  visitor: SiteContext;
  bot: SiteContext;
  pageUrl: string;
}

async function enter({ app, site, pageUrl }: Stage, { key, ...attributes }: Guest): Promise<Visit> {
  const now = new Date();
  const device = await openDevice(app.database.db, site.id, { key, attributes, now });
  const { visitorId, deviceId, verified } = device;
  return {
    visitor: app.contextFor(site, { kind: 'visitor', visitorId, deviceId, verified }),
    bot: app.contextFor(site, { kind: 'job' }),
    pageUrl,
  };
}

/** A visitor says something, and the bot has its turn. @returns the chat. */
async function ask(
  { visitor, bot, pageUrl }: Visit,
  text: string,
  sessionId: string | null = null,
): Promise<string> {
  const { session } = await run(visitor, 'chat.send', {
    session_id: sessionId,
    client_id: randomUUID(),
    text,
    page_url: pageUrl,
  });
  const chat = session?.session_id ?? sessionId;
  if (chat === null) throw new Error('a chat began without a session');
  await takeTurns(bot, chat);
  return chat;
}

async function endAndRate({ visitor }: Visit, chat: string, rating: number, comment: string): Promise<void> {
  await run(visitor, 'chat.end', { session_id: chat });
  await run(visitor, 'chat.rate', { session_id: chat, rating, comment });
}

const callPerson = ({ visitor }: Visit, chat: string): Promise<unknown> =>
  run(visitor, 'chat.request_person', { session_id: chat, client_id: randomUUID() });

/** The bot knows it all. */
async function answered(stage: Stage): Promise<void> {
  const mira = await enter(stage, MIRA);
  const chat = await ask(mira, 'How long does delivery take?');
  await ask(mira, 'And how do I return something?', chat);
  await endAndRate(mira, chat, 5, 'Quick and clear, thank you!');
}

/** A person takes over. */
async function handedOver(stage: Stage): Promise<void> {
  const jonas = await enter(stage, JONAS);
  const chat = await ask(jonas, 'Do you make curtains to measure?');
  await callPerson(jonas, chat);
  const desk = stage.app.contextFor(stage.site, stage.agent);
  await run(desk, 'sessions.accept', { session_id: chat });
  const text = 'Hello Jonas! We do. Which window are they for? I can send you fabric samples first.';
  await run(desk, 'sessions.reply', { session_id: chat, client_id: randomUUID(), text });
  await ask(jonas, 'Samples would be lovely, thanks.', chat);
  await endAndRate(jonas, chat, 4, 'Friendly. I had to wait a moment.');
}

/** Somebody waits, for whoever opens the dashboard. */
async function waiting(stage: Stage): Promise<void> {
  const priya = await enter(stage, PRIYA);
  const chat = await ask(priya, 'My lamp arrived with a cracked shade. What can I do?');
  await callPerson(priya, chat);
}

/** Keeps that these visitors and their chats are examples, so that they can be taken away again. */
async function markDemo({ app, site }: Stage): Promise<void> {
  const ctx = app.contextFor(site, { kind: 'operator' });
  await ctx.transaction(async (tx) => {
    const visitors = await tx.db
      .selectFrom('visitors')
      .select('id')
      .where('site_id', '=', site.id)
      .where('key', 'in', [MIRA.key, JONAS.key, PRIYA.key])
      .execute();
    const ids = visitors.map(({ id }) => id);
    const chats = await tx.db
      .selectFrom('conversations')
      .select('id')
      .where('site_id', '=', site.id)
      .where('visitor_id', 'in', ids)
      .execute();
    await markSamples(tx, 'visitor', ids);
    await markSamples(
      tx,
      'chat',
      chats.map(({ id }) => id),
    );
  });
}

/** Three example chats, held by the same operations as real ones. */
export async function holdDemoChats(stage: Stage): Promise<void> {
  await answered(stage);
  await handedOver(stage);
  await waiting(stage);
  await markDemo(stage);
}
