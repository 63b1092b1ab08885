/**
 * Runs all benchmarks, or the named ones, and prints one table.
 * Usage: node bench/run.ts [messages] [nodes] [fan-out] [whoami] [lists] [search] [said] [track] [start] [webhooks]
 *   [growing] [webhooks-fair] [webhooks-backlog] [reports] [knowledge] [imports] [answer] [page] [transcript] [desk]
 *   [weight] [retrieval] [long-texts] [many-sites] [mails] [mailboxes] [routing] [rules]
 * A slow machine is no error: the exit code is 1 only if a benchmark could not run.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { answer } from './answer.ts';
import { desk } from './desk.ts';
import { fanOut } from './fan-out.ts';
import { type Figure, printTable } from './figures.ts';
import { growing } from './growing.ts';
import { imports } from './imports.ts';
import { knowledge } from './knowledge.ts';
import { lists } from './lists.ts';
import { longTexts } from './long-texts.ts';
import { mailboxes } from './mailboxes.ts';
import { mailsOfCustomers } from './mails.ts';
import { manySites } from './many-sites.ts';
import { messages } from './messages.ts';
import { nodes } from './nodes.ts';
import { page } from './page.ts';
import { reports } from './reports.ts';
import { routing } from './routing.ts';
import { rules } from './rules.ts';
import { said } from './said.ts';
import { search } from './search.ts';
import { closeSeededWorld } from './seeded-world.ts';
import { start } from './start.ts';
import { track } from './track.ts';
import { transcript } from './transcript.ts';
import { webhooks } from './webhooks.ts';
import { webhooksBacklog } from './webhooks-backlog.ts';
import { webhooksFair } from './webhooks-fair.ts';
import { weight } from './weight.ts';
import { whoami } from './whoami.ts';

/** Prints tables of its own. */
async function retrieval(): Promise<Figure[]> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'retrieval.ts')], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('it did not run');
  return [];
}

const benchmarks = new Map<string, () => Promise<Figure[]>>([
  ['messages', messages],
  ['nodes', nodes],
  ['fan-out', fanOut],
  ['whoami', whoami],
  ['lists', lists],
  ['search', search],
  ['said', said],
  ['rules', rules],
  ['growing', growing],
  ['reports', reports],
  ['knowledge', knowledge],
  ['imports', imports],
  ['mails', mailsOfCustomers],
  ['mailboxes', mailboxes],
  ['routing', routing],
  ['answer', answer],
  ['track', track],
  ['start', start],
  ['many-sites', manySites],
  ['webhooks', webhooks],
  ['webhooks-fair', webhooksFair],
  ['webhooks-backlog', webhooksBacklog],
  ['page', page],
  ['transcript', transcript],
  ['desk', desk],
  ['weight', weight],
  ['retrieval', retrieval],
  ['long-texts', longTexts],
]);

const named = process.argv.slice(2);
const unknown = named.filter((name) => !benchmarks.has(name));
if (unknown.length > 0) {
  console.error(`no such benchmark: ${unknown.join(', ')}; there are ${[...benchmarks.keys()].join(', ')}`);
  process.exit(1);
}

const figures: Figure[] = [];
for (const [name, benchmark] of benchmarks) {
  if (named.length > 0 && !named.includes(name)) continue;
  console.error(`${name} …`);
  try {
    figures.push(...(await benchmark()));
  } catch (error) {
    console.error(`${name}: ${String(error instanceof Error ? error.stack : error)}`);
    process.exitCode = 1;
  }
}
await closeSeededWorld();
if (figures.length > 0) printTable(figures);
