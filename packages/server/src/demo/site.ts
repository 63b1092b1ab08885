import type { App } from '../app/app.ts';
import { AppError } from '../base/errors.ts';
import { StartError } from '../base/start-error.ts';
import type { Config } from '../config.ts';
import type { SiteContext } from '../core/context.ts';
import { deriveKey } from '../core/keyring.ts';
import type { SampleKind } from '../core/mark-samples.ts';
import { hadSamples } from '../core/mark-samples.ts';
import type { Db } from '../db/database.ts';
import { importSampleKnowledge } from '../knowledge/sample.ts';
import { prepareAccount } from '../sites/sign-in/accounts.ts';
import { createSite } from '../sites/sites.ts';
import { holdDemoChats, snoozeDemoChat } from './chats.ts';
import type { Stage } from './stage.ts';
import { findAda, findTeam, makeTeam, TEAM } from './team.ts';
import { makeDemoTickets, makeDemoTools } from './tickets.ts';
import { holdDemoWeeks } from './weeks.ts';

const SITE = 'Lantern & Loom';
const PASSWORD_LENGTH = 16;

/** The same at every start of this installation, different in every other, and stored nowhere. */
const demoPassword = (secret: string): string =>
  deriveKey(secret, 'demo sign-in').toString('base64url').slice(0, PASSWORD_LENGTH);

type Root = App['database']['db'];

/** Creates the site and its team, both or neither. */
async function makeDemo(db: Root, password: string): Promise<void> {
  const other = await db.selectFrom('sites').select('name').limit(1).executeTakeFirst();
  if (other)
    throw new StartError(
      `The database already has a site ("${other.name}"). The demo needs an empty one: unset DATABASE_URL, or set it to an empty database.`,
    );
  await db.transaction().execute(async (tx) => {
    const { id } = await createSite(tx, { name: SITE, plan: 'growth' });
    await makeTeam(tx, id, password);
  });
}

type Filled = 'articles' | 'conversations' | 'tickets' | 'macros';

async function isEmpty({ db, site }: SiteContext, table: Filled): Promise<boolean> {
  const row = await db
    .selectFrom(table)
    .select('id')
    .where('site_id', '=', site.id)
    .limit(1)
    .executeTakeFirst();
  return row === undefined;
}

/** Undefined if the password was changed since. */
async function passwordThatWorks(db: Db, password: string): Promise<string | undefined> {
  try {
    await prepareAccount(db, { name: TEAM.ada.name, email: TEAM.ada.email, password });
    return password;
  } catch (error) {
    if (error instanceof AppError && error.code === 'unauthorized') return undefined;
    throw error;
  }
}

function box(lines: readonly string[]): string {
  const width = Math.max(...lines.map((line) => line.length));
  const rule = '─'.repeat(width + 4);
  const rows = lines.map((line) => `  │  ${line.padEnd(width)}  │`);
  return ['', `  ┌${rule}┐`, ...rows, `  └${rule}┘`, '', ''].join('\n');
}

/**
 * Creates the demo site, or continues where an interrupted start stopped.
 * @returns the addresses and the sign-in, to be printed
 * @throws StartError if the database isn't a demo's
 */
export async function prepareDemo(
  app: App,
  { config, secret }: { config: Config; secret: string },
): Promise<string> {
  const { db } = app.database;
  const password = demoPassword(secret);
  if (!(await findAda(db))) await makeDemo(db, password);
  const demo = await findAda(db);
  if (!demo) throw new StartError(`${TEAM.ada.email} exists, but is no longer an agent of a site.`);
  const ctx = app.contextFor(demo.site, { kind: 'operator' });
  const lacks = async (table: Filled, kind: SampleKind): Promise<boolean> =>
    (await isEmpty(ctx, table)) && !(await hadSamples(ctx, kind));
  const stage: Stage = {
    app,
    site: demo.site,
    team: await findTeam(db, demo),
    pageUrl: `${config.baseUrl}/demo`,
  };
  if (await lacks('articles', 'article')) await ctx.transaction(importSampleKnowledge);
  if (await lacks('macros', 'macro')) await makeDemoTools(stage);
  if (await lacks('conversations', 'chat')) {
    await holdDemoWeeks(stage);
    await holdDemoChats(stage);
    await snoozeDemoChat(stage);
  }
  if (await lacks('tickets', 'ticket')) await makeDemoTickets(stage);
  const known = await passwordThatWorks(db, password);
  return box([
    'Foyer is running with a demo site.',
    '',
    `Shop with the chat   ${config.baseUrl}/demo`,
    `Desk for its team    ${config.baseUrl}/app`,
    '',
    `Email      ${TEAM.ada.email}`,
    `Password   ${known ?? '(the one you set)'}`,
    `Teammates  ${TEAM.ben.email}, ${TEAM.cleo.email} (same password)`,
    '',
    `Data: ${config.dataDir}. Press Ctrl-C to stop.`,
  ]);
}
