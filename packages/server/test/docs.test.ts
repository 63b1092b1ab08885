import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { ERROR_STATUS, PLAN_LIMITS, PLANS, WEBHOOK_EVENTS, webhookEvents } from '@foyer/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';
import { fieldKinds } from '../src/http/rest/rest-input.ts';
import { importArticles } from '../src/knowledge/transfer/import.ts';
import { resources } from '../src/registry.ts';
import { startTestApp, type TestApp, type TestSite } from './app.ts';
import { examplesOf, PageRunner } from './doc-examples.ts';
import { blocksOf, DOCS, readPage, sectionOf, sectionsOf } from './doc-pages.ts';
import { tellStory } from './doc-story.ts';
import { withResourceTable } from './doc-table.ts';
import { AnswerCheck } from './openapi-check.ts';
import { answerWith, type Receiver, startReceiver } from './receiver.ts';
import { variablesRead } from './variables-read.ts';

let app: TestApp;
let site: TestSite;
let receiver: Receiver;
let check: AnswerCheck;

beforeAll(async () => {
  app = await startTestApp();
  [site, receiver] = await Promise.all([app.makeSite(), startReceiver(answerWith(200, 'ok'))]);
  check = new AnswerCheck((await app.rest(undefined, 'GET', '/v1/openapi.json')).body);
});
afterAll(async () => {
  await receiver.close();
  await app.close();
});

const operations = [...resources].flatMap(([resource, methods]) =>
  [...methods].map(([method, operation]) => ({ resource, method, operation })),
);
const call = ({ resource, method }: { resource: string; method: string }) =>
  `${method} ?resource=${resource}`;
const restPages = readdirSync(new URL('rest/', DOCS)).map((file) => file.replace(/\.md$/, ''));

/** Runs a page's examples on a new site. */
async function runPage(name: string): Promise<PageRunner> {
  const text = readPage(`rest/${name}.md`);
  const site = await app.makeSite();
  const known = await tellStory(name, { app, site, receiver: receiver.url });
  const runner = new PageRunner({
    variables: { FOYER: app.url, TOKEN: site.write },
    addresses: { 'https://crm.example/foyer': receiver.url },
    known,
  });
  for (const example of examplesOf({ title: name, blocks: blocksOf(text) })) {
    const { call, resource, status, body } = await runner.run(example);
    expect(check.problems(call.method, resource, status, body), example.command).toEqual([]);
  }
  return runner;
}

describe('docs/rest', () => {
  it('has a page for each resource, and no other', () => {
    expect(restPages.filter((name) => name !== 'README').sort()).toEqual([...resources.keys()].sort());
  });

  it('lists each resource with its methods in its table', () => {
    expect(readPage('rest/README.md'), 'npm run docs writes it').toBe(
      withResourceTable(readPage('rest/README.md')),
    );
  });
});

describe.each([...resources.keys()].filter((name) => restPages.includes(name)))('docs/rest/%s.md', (name) => {
  const page = readPage(`rest/${name}.md`);
  const own = operations.filter(({ resource }) => resource === name);

  it('has correct examples, and for each operation at least one that succeeds', async () => {
    const { ran } = await runPage(name);
    const shown = ran.filter(({ status, resource }) => status < 300 && resource === name);
    expect(
      [...new Set(shown.map(({ call: { method } }) => call({ resource: name, method })))].sort(),
    ).toEqual(own.map(call).sort());
  });

  it('has a section for each method, and no other', () => {
    expect(page.split('\n')[0]).toBe(`# ${name}`);
    const documented = [...page.matchAll(/^`((?:GET|POST|PATCH|DELETE) \?resource=\w+)/gm)];
    expect(documented.map(([, one]) => one).sort()).toEqual(own.map(call).sort());
  });

  it.each(own.map((one) => [call(one), one.operation] as const))(
    'names every field that %s accepts',
    (signature, operation) => {
      const section = sectionsOf(page).find(({ text }) => text.includes(`\n\`${signature}`))?.text ?? '';
      const fields = Object.keys(fieldKinds(operation)).filter(
        (field) => !['limit', 'cursor', 'order'].includes(field),
      );
      expect(
        fields.filter((field) => !section.includes(`\`${field}\``) && !section.includes(`&${field}=`)),
      ).toEqual([]);
    },
  );
});

describe('docs/rest/README.md', () => {
  const rest = readPage('rest/README.md');
  let runner: PageRunner;

  it('has correct examples', async () => {
    runner = await runPage('README');
  });

  it('lists every error code with its status, and no unknown one', () => {
    const rows = [...sectionOf(rest, 'Errors').text.matchAll(/^\| `(\w+)` \| (\d{3}) \|/gm)];
    expect(Object.fromEntries(rows.map(([, code, status]) => [code, Number(status)]))).toEqual(ERROR_STATUS);
  });

  it('states the limits of each plan', () => {
    const { text } = sectionOf(rest, 'Rate limits');
    for (const plan of PLANS) {
      const { requestsPerMinute, agents } = PLAN_LIMITS[plan];
      expect(text).toContain(`| \`${plan}\` | ${requestsPerMinute} | ${agents ?? 'no limit'} |`);
    }
  });

  it('shows the rate-limit headers of a token', async () => {
    const shown = sectionOf(rest, 'Rate limits').blocks.find(({ language }) => language === 'http');
    const { headers } = await app.rest(site.read, 'GET', '/v1/whoami');
    for (const line of shown?.text.trim().split('\n') ?? ['no such block']) {
      const [name = '', value = ''] = line.split(': ');
      expect(headers.get(name), name).toMatch(/^\d+$/);
      if (name === 'RateLimit-Limit') expect(headers.get(name)).toBe(value);
    }
  });

  it('describes Idempotency-Key correctly', async () => {
    const [example] = examplesOf(sectionOf(rest, 'Idempotency'));
    const again = await runner.send(example?.command ?? '');
    const first = runner.ran.find(({ call: { headers } }) => headers['idempotency-key'] !== undefined);
    expect(again.status).toBe(201);
    expect(again.body.data).toEqual(first?.body.data);
    const other = await runner.send((example?.command ?? '').replace('"wholesale"', '"retail"'));
    expect([other.status, other.body.error.code]).toEqual([409, 'conflict']);
  });
});

describe('docs/webhooks.md', () => {
  const page = readPage('webhooks.md');
  const events = sectionOf(page, 'Events').text;

  it.each(WEBHOOK_EVENTS)('shows a body of %s that its schema accepts, field for field', (event) => {
    const [, part = ''] = events.split(`\n### ${event}\n`);
    const [block] = blocksOf(part.split('\n### ')[0] ?? '');
    const { id, event: name, site_id, created_utc, ...fields } = JSON.parse(block?.text ?? '{}');
    expect([name, site_id]).toEqual([event, 1]);
    expect(id).toMatch(/^evt_[\w-]{22}$/);
    expect(created_utc).toMatch(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/);
    // The schema drops unknown fields.
    expect(webhookEvents[event].parse(fields)).toEqual(fields);
    expect(events).toContain(`| [\`${event}\`](#${event}) |`);
  });

  it('names no unknown event', () => {
    expect([...events.matchAll(/^### (.*)$/gm)].map(([, name]) => name)).toEqual([...WEBHOOK_EVENTS]);
  });

  it('has a sample signature, and code that accepts it and refuses another', async () => {
    const { blocks } = sectionOf(page, 'Check the signature');
    const sample = blocks.find(({ language }) => language === 'text')?.text ?? '';
    const [secret, body = '', signature] = sample.split('\n').map((line) => line.replace(/^\w+\s+/, ''));
    const code = blocks.find(({ language }) => language === 'js')?.text ?? '';
    const { isFromFoyer } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
    expect(isFromFoyer(body, signature, secret)).toBe(true);
    expect(isFromFoyer(`${body} `, signature, secret)).toBe(false);
    expect(isFromFoyer(body, undefined, secret)).toBe(false);
  });

  it('shows code that accepts a real delivery', async () => {
    const code = blocksOf(page).find(({ language }) => language === 'js')?.text ?? '';
    const { isFromFoyer } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
    const made = await app.rest(site.write, 'POST', '/v1/webhook_subscriptions', {
      url: `${receiver.url}/signed`,
      events: ['visitor_identified'],
    });
    await app.rest(site.write, 'POST', '/v1/visitors', { key: 'user_signed' });
    const isOurs = ({ path }: { path: string }) => path.endsWith('/signed');
    for (let count = 1; !receiver.requests.some(isOurs); count += 1) await receiver.received(count);
    const request = receiver.requests.find(isOurs);
    expect(isFromFoyer(request?.body, request?.headers['x-service-signature'], made.body.data.secret)).toBe(
      true,
    );
    for (const [, name = ''] of sectionOf(page, 'A delivery').text.matchAll(
      /^\| `((?:X-|Content-|User-)[\w-]+)`/gm,
    ))
      if (!name.endsWith('-Previous')) expect(request?.headers[name.toLowerCase()], name).toBeDefined();
  });

  it('states the default schedule', () => {
    const minutes: Record<string, number> = { second: 1 / 60, minute: 1, hour: 60 };
    const rows = [
      ...sectionOf(page, 'Retries').text.matchAll(/^\| \d \| (\d+) (second|minute|hour)s? \|$/gm),
    ];
    const delaysMs = rows.map(([, count, unit = '']) =>
      Math.round(Number(count) * (minutes[unit] ?? 0) * 60_000),
    );
    expect(delaysMs).toEqual(readConfig({}).webhooks.delaysMs);
  });
});

describe('docs/self-hosting.md', () => {
  it('has every variable that is read, and no other', () => {
    const { text } = sectionOf(readPage('self-hosting.md'), 'Environment');
    const rows = [...text.matchAll(/^\| (`[A-Z].*?) \|/gm)].map(([, cell = '']) => cell);
    const documented = rows.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
    expect(documented.sort()).toEqual([...variablesRead()].sort());
  });
});

describe('a setting', () => {
  const inRepository = (name: string): string =>
    readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
  const supported = [...variablesRead()].sort();

  it('is listed in .env.example', () => {
    const listed = [...inRepository('.env.example').matchAll(/^#([A-Z_]+)=/gm)].map(([, name]) => name);
    expect(listed.sort()).toEqual(supported);
  });

  it('reaches the container of compose.yaml, unless the image sets it', () => {
    const passed = [...inRepository('compose.yaml').matchAll(/^ {6}([A-Z_]+): /gm)].map(([, name]) => name);
    for (const name of supported.filter((one) => !['PORT', 'HOST', 'FOYER_DATA_DIR'].includes(one)))
      expect(passed).toContain(name);
  });
});

describe('docs/knowledge.md', () => {
  it('states the result of importing its example', async () => {
    const [blob, answer] = sectionOf(readPage('knowledge.md'), 'Import').blocks;
    const own = await app.makeSite();
    expect(await importArticles(own.operator, blob?.text ?? '')).toEqual(JSON.parse(answer?.text ?? ''));
    expect(await importArticles(own.operator, blob?.text ?? '')).toMatchObject({
      created: 0,
      updated: 0,
      unchanged: 3,
    });
  });
});

describe('docs/command-line.md', () => {
  const page = readPage('command-line.md');
  const MARK = '\0';
  /** The help of several commands from one process, because starting one is slow. */
  const helpOf = (commands: string[][]): string[] => {
    const main = new URL('../src/cli/main.ts', import.meta.url).href;
    const script = `
      const { runCommandLine } = await import(${JSON.stringify(main)});
      for (const words of JSON.parse(process.argv[1])) {
        await runCommandLine([...words, '--help']);
        process.stdout.write('\\0');
      }`;
    const args = ['--input-type=module', '-e', script, JSON.stringify(commands)];
    return spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout.split(MARK).slice(0, -1);
  };
  const commandsIn = (text = ''): string[] =>
    [...(text.split('\nCommands:\n')[1] ?? '').matchAll(/^ {2}(\w[\w-]*)/gm)]
      .map(([, name = '']) => name)
      .filter((name) => name !== 'help');

  it('has every command with every option, and no other command', () => {
    const groups = commandsIn(helpOf([[]])[0]).map((name) => [name]);
    const inGroups = helpOf(groups);
    const found = groups.flatMap((words, at) => {
      const inner = commandsIn(inGroups[at]);
      const isCommand = inner.length === 0 || /^Usage: .*\[command\] [<[]/m.test(inGroups[at] ?? '');
      return [...(isCommand ? [words] : []), ...inner.map((name) => [...words, name])];
    });
    const titles = [...page.matchAll(/^### foyer (.*)$/gm)].map(([, name]) => name);
    expect(titles.sort()).toEqual(found.map((words) => words.join(' ')).sort());
    for (const [at, help] of helpOf(found).entries()) {
      const name = found[at]?.join(' ');
      const own = page.split(`### foyer ${name}\n`)[1]?.split(/^##/m)[0] ?? '';
      const options = [...help.matchAll(/^ {2}(--\w[\w-]*)/gm)].map(([, option = '']) => option);
      expect(
        options.filter((option) => !own.includes(option)),
        name,
      ).toEqual([]);
    }
  });
});
