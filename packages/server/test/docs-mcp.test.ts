import { randomUUID } from 'node:crypto';
import * as sdk from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MODEL_LIMIT } from '../src/http/mcp/tools.ts';
import { type Json, startTestApp, type TestApp, type TestSite } from './app.ts';
import { examplesOf } from './doc-examples.ts';
import { readCurl, readPage, sectionOf } from './doc-pages.ts';
import { withToolTable } from './doc-tools.ts';
import { openChat } from './stand.ts';

const page = readPage('mcp.md');

let app: TestApp;
let site: TestSite;
beforeAll(async () => {
  app = await startTestApp();
  site = await app.makeSite();
});
afterAll(() => app.close());

/** Boundaries and request ids are random in each response. */
const steady = (text: string): Json =>
  JSON.parse(text.replace(/\breq_[\w-]{16}/g, 'req_').replace(/\b[0-9a-f]{24}\b/g, 'boundary'));

describe('docs/mcp.md', () => {
  it('lists each tool of the registry in its table', () => {
    expect(page, 'npm run docs writes it').toBe(withToolTable(page));
  });

  it.each(['Connect', 'Answers'])('gives a true example under "%s"', async (title) => {
    const examples = examplesOf(sectionOf(page, title));
    expect(examples).toHaveLength(1);
    for (const { command, answer } of examples) {
      const { url, method, headers, body = '' } = readCurl(command, { FOYER: app.url, TOKEN: site.write });
      const response = await fetch(url, { method, headers, body });
      expect(steady(await response.text())).toEqual(steady(answer));
    }
  });

  it('shows a program that lists the tools', async () => {
    const code = sectionOf(page, 'Connect').blocks.find(({ language }) => language === 'js')?.text ?? '';
    const said: string[] = [];
    const Program = Object.getPrototypeOf(async () => undefined).constructor;
    const program = new Program(
      'sdk',
      'process',
      'console',
      code
        .replace(/^import (\{.*\}) from '@modelcontextprotocol\/client';/, 'const $1 = sdk;')
        .replace('https://chat.example.com', app.url),
    );
    const { socket, id } = await openChat({ url: app.url, publicKey: site.publicKey });
    await socket.call('chat.request_person', { session_id: id, client_id: randomUUID() });
    socket.cut();
    const handoffs = (await app.rest(site.read, 'GET', '/v1/handoffs')).body.data;
    await program(sdk, { env: { TOKEN: site.read } }, { log: (text: string) => said.push(text) });
    expect(said).toHaveLength(1);
    expect(said).toEqual(handoffs.map(({ summary }: Json) => summary));
  });

  it('states the limit of lists', () => {
    expect(sectionOf(page, 'Limits').text).toContain(`| ${MODEL_LIMIT} records`);
  });
});
