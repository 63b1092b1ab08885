import { failedStep } from '@foyer/protocol/values/mail/mailbox-problems';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { type ImapServer, startImapServer } from '../../../test/imap-server.ts';
import { type Mailbox, startMailbox } from '../../../test/mailbox.ts';

let app: TestApp;
let imap: ImapServer;
let smtp: Mailbox;
let cookie: string;
beforeAll(async () => {
  [app, imap, smtp] = await Promise.all([
    startTestApp({ FOYER_WEBHOOK_ALLOW_PRIVATE: 'true' }),
    startImapServer(),
    startMailbox(),
  ]);
  const site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
});
afterAll(async () => {
  await app.close();
  await Promise.all([imap.close(), smtp.close()]);
});

interface Tested {
  protocol: string;
  ok: boolean;
  problem: string | null;
}

const host = '127.0.0.1';
/** Tests both servers, with these changes. */
async function test(changes: { imap?: object; smtp?: object } = {}): Promise<Tested[]> {
  const { body } = await app.desk(cookie, 'mailboxes.test', {
    imap: { host, port: imap.port, security: 'starttls', user: 'help', password: 'open', ...changes.imap },
    smtp: { host, port: Number(new URL(smtp.url).port), security: 'starttls', ...changes.smtp },
  });
  return body.data.results;
}
const steps = (results: Tested[]) => results.map(({ problem }) => problem && failedStep(problem));

it('working servers have no problem', async () => {
  expect(await test()).toEqual([
    { protocol: 'imap', ok: true, problem: null },
    { protocol: 'smtp', ok: true, problem: null },
  ]);
});

it.each<[string, Parameters<typeof test>[0], (string | null)[]]>([
  ['a port that nobody listens on', { imap: { port: 9 }, smtp: { port: 9 } }, ['port', 'port']],
  ['the wrong encryption', { imap: { security: 'tls' }, smtp: { security: 'tls' } }, ['tls', 'tls']],
  ['a folder that there isn’t', { imap: { folder: 'Support' } }, ['folder', null]],
  ['an account that the server doesn’t know', { smtp: { user: 'help', password: 'x' } }, [null, 'login']],
])('%s is named, and the step that fails', async (_what, changes, failed) => {
  expect(steps(await test(changes))).toEqual(failed);
});

it('a wrong password is named with the server’s own words', async () => {
  imap.lock(true);
  const [read] = await test();
  imap.lock(false);
  expect(read?.problem).toMatch(/^Login: .* user name help .* The server says: .*Invalid credentials/);
});
