import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { createToken } from '../src/sites/tokens/api-tokens.ts';
import type { TestApp, TestSite } from './app.ts';

const PROGRAM = fileURLToPath(new URL('../../../docs/examples/own-bot.mjs', import.meta.url));
const SECRET = 'secret-of-the-example';
/** How long it may take, on the server's clock. */
const TIMEOUT_S = 60;

/** Starts the bot of docs/examples as a separate process, and lets it answer the chats of a site. */
export async function startOwnBot(app: TestApp, site: TestSite): Promise<ChildProcess> {
  const scopes = 'conversation_messages:write,conversations:write';
  const { token } = await createToken(site.operator, { name: 'shop bot', scopes });
  const bot = spawn(process.execPath, [PROGRAM], {
    env: { ...process.env, FOYER_URL: app.url, FOYER_TOKEN: token, FOYER_WEBHOOK_SECRET: SECRET, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(bot.stdout, 'data');
  const url = `http://127.0.0.1:${/(\d+)\s*$/.exec(String(line))?.[1]}`;
  const made = { url, events: ['bot_turn_requested'], secret: SECRET };
  expect((await app.rest(site.write, 'POST', '/v1/webhook_subscriptions', made)).status).toBe(201);
  const cookie = await app.signIn(site.admin.email);
  const chosen = await app.desk(cookie, 'bot.update', { own: true, own_timeout_s: TIMEOUT_S });
  expect(chosen.status).toBe(200);
  return bot;
}
