import { expect, onTestFinished, test } from 'vitest';
import { startTestApp } from '../../test/app.ts';
import { TestSocket } from '../../test/sockets.ts';
import { say } from '../../test/stand.ts';

const CONNECTIONS = 2;

test('transactions that hold every connection can read what the caches have forgotten', async () => {
  const app = await startTestApp({ FOYER_DATABASE_POOL: String(CONNECTIONS) });
  onTestFinished(() => app.close());
  const site = await app.makeSite();
  const visitors = await Promise.all(
    Array.from({ length: 3 * CONNECTIONS }, () => TestSocket.visitor(app.url, site.publicKey)),
  );
  // From now on the caches have nothing of the site, and each new chat asks for what is blocked.
  const rule = { kind: 'phrase', value: 'casino' };
  expect((await app.rest(site.write, 'POST', '/v1/blocks', rule)).status).toBe(201);
  const sent = await Promise.all(visitors.map(({ socket }) => say(socket, null, 'Good morning')));
  expect(sent.map(({ message }) => message.text)).toEqual(visitors.map(() => 'Good morning'));
});
