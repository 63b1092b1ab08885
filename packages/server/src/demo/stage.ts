import { randomUUID } from 'node:crypto';
import type { InputOf, OperationName, OutputOf } from '@foyer/protocol';
import type { App } from '../app/app.ts';
import { takeTurns } from '../bot/turn.ts';
import type { Actor } from '../core/actor.ts';
import type { Site, SiteContext } from '../core/context.ts';
import type { SampleKind } from '../core/mark-samples.ts';
import { markSamples } from '../core/mark-samples.ts';
import { findOperation, mayRun, runOperation } from '../registry.ts';
import { openDevice } from '../visitors/identity/devices.ts';
import type { Team, TeammateName } from './team.ts';

export interface Guest {
  key: string;
  name: string;
  email: string;
  [attribute: string]: string | number;
}

export interface Stage {
  app: App;
  site: Site;
  team: Team;
  pageUrl: string;
  /** The clock for events in the past (default: now). */
  past?: () => Date;
}

const contextFor = ({ app, site, past }: Stage, actor: Actor): SiteContext =>
  app.contextFor(site, actor, past ? { past } : {});

/** A context of one of the demo's agents. */
export const deskOf = (stage: Stage, who: TeammateName = 'ada'): SiteContext =>
  contextFor(stage, stage.team[who]);

/**
 * Runs an operation like an entry point. Throws if the actor may not run it, which is a mistake in the demo's
 * script.
 */
export async function run<N extends OperationName>(
  ctx: SiteContext,
  name: N,
  input: InputOf<N>,
): Promise<OutputOf<N>> {
  const operation = findOperation(name);
  if (!operation || !mayRun(operation, ctx.actor)) throw new Error(`the demo may not run ${name}`);
  return (await runOperation(operation, ctx, input)) as OutputOf<N>;
}

/** Marks a record as sample data, so that it can be removed later. */
export const mark = (stage: Stage, kind: SampleKind, id: number): Promise<void> =>
  contextFor(stage, { kind: 'operator' }).transaction((tx) => markSamples(tx, kind, [id]));

/** A visitor's context, and the bot's. */
interface Visit {
  stage: Stage;
  visitor: SiteContext;
  bot: SiteContext;
}

/** Opens a browser for a visitor, who is marked as sample data. */
export async function enter(stage: Stage, { key, ...attributes }: Guest): Promise<Visit> {
  const { app, site, past = () => new Date() } = stage;
  const device = await openDevice(app.database.db, site.id, { key, attributes, now: past() });
  const { visitorId, deviceId, verified } = device;
  await mark(stage, 'visitor', visitorId);
  return {
    stage,
    visitor: contextFor(stage, { kind: 'visitor', visitorId, deviceId, verified }),
    bot: contextFor(stage, { kind: 'job' }),
  };
}

async function markChat(stage: Stage, sessionId: string): Promise<void> {
  const chat = await stage.app.database.db
    .selectFrom('conversations')
    .select('id')
    .where('site_id', '=', stage.site.id)
    .where('session_id', '=', sessionId)
    .executeTakeFirstOrThrow();
  await mark(stage, 'chat', chat.id);
}

/** Sends a visitor's message and runs the bot's turn. @returns the chat. */
export async function ask(
  { stage, visitor, bot }: Visit,
  text: string,
  sessionId: string | null = null,
): Promise<string> {
  const { session } = await run(visitor, 'chat.send', {
    session_id: sessionId,
    client_id: randomUUID(),
    text,
    page_url: stage.pageUrl,
  });
  const chat = session?.session_id ?? sessionId;
  if (chat === null) throw new Error('a chat began without a session');
  if (sessionId === null) await markChat(stage, chat);
  await takeTurns(bot, chat);
  return chat;
}

/** Hands the chat off, like a visitor's own request. */
export const callPerson = ({ visitor }: Visit, chat: string): Promise<unknown> =>
  run(visitor, 'chat.request_person', { session_id: chat, client_id: randomUUID() });

/** Sends an agent's message; the agent joins the chat first if necessary. */
export async function answerAs(
  stage: Stage,
  chat: string,
  text: string,
  who: TeammateName = 'ada',
): Promise<void> {
  const desk = deskOf(stage, who);
  await run(desk, 'sessions.accept', { session_id: chat });
  await run(desk, 'sessions.reply', { session_id: chat, client_id: randomUUID(), text });
}

export interface Rated {
  rating: number;
  comment?: string;
}

/** The visitor ends the chat; without `rated` there is no feedback. */
export async function endAndRate({ visitor }: Visit, chat: string, rated?: Rated): Promise<void> {
  await run(visitor, 'chat.end', { session_id: chat });
  if (rated) await run(visitor, 'chat.rate', { session_id: chat, ...rated });
}
