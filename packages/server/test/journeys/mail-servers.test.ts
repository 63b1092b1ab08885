import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../app.ts';
import { freePort } from '../foyer-process.ts';
import { lacksMailServers } from '../mail-servers/installed.ts';
import { type MailServers, startMailServers } from '../mail-servers/pair.ts';
import { makeStand, type Stand } from '../stand.ts';

// Mailboxes on the mail servers that most companies have: Dovecot and Postfix, where they are installed.

const HELP = 'help@shop.test';
const SALES = 'sales@shop.test';
const MAYA = 'maya@customer.test';
/** Postfix delivers mail to it, and Dovecot doesn't know it. */
const LOST = 'lost@customer.test';
const PASSWORDS: Record<string, string> = { [HELP]: 'open help', [SALES]: 'open sales', [MAYA]: 'open maya' };

/** Header lines by their names in lower case, unfolded. */
const headersOf = (mail: string): Map<string, string> => {
  const lines = (mail.split(/\r?\n\r?\n/, 1)[0] ?? '').replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
  return new Map(
    lines.map((line) => {
      const at = line.indexOf(':');
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
    }),
  );
};

describe.skipIf(lacksMailServers())('with Dovecot and Postfix', () => {
  let servers: MailServers;
  let stand: Stand;
  beforeAll(async () => {
    const mailPort = await freePort();
    servers = await startMailServers({
      users: PASSWORDS,
      lost: [LOST],
      relay: { domain: 'mx.test', port: mailPort },
    });
    stand = await makeStand({
      FOYER_MAIL_PORT: String(mailPort),
      FOYER_MAIL_HOST: '127.0.0.1',
      FOYER_MAIL_TLS_CERT: servers.certFile,
      FOYER_MAIL_TLS_KEY: servers.keyFile,
      NODE_EXTRA_CA_CERTS: servers.certFile,
    });
  });
  afterAll(async () => {
    await stand?.strike();
    await servers?.close();
  });

  /** Polls as often as the limit of a token allows. */
  const until = (isSo: () => Promise<boolean>) => expect.poll(isSo, { interval: 200 }).toBe(true);
  async function get(path: string): Promise<Json> {
    const { body } = await stand.rest('GET', `/v1/${path}`);
    expect(body).toMatchObject({ ok: true });
    return body.data;
  }
  /** A mailbox’s servers over REST: IMAP over TLS, submission over STARTTLS. */
  const serversOf = (user: string, password = PASSWORDS[user]) => ({
    imap: { host: '127.0.0.1', port: servers.dovecot.imapsPort, security: 'tls', user, password },
    smtp: {
      host: 'localhost',
      port: servers.postfix.submissionPort,
      security: 'starttls',
      user,
      password,
    },
  });
  const create = async (mailbox: object): Promise<number> => {
    const { body } = await stand.rest('POST', '/v1/mailboxes', mailbox);
    expect(body).toMatchObject({ ok: true });
    return body.data.id;
  };
  const works = (id: number) =>
    until(async () => {
      const { checked_utc, problem } = await get(`mailboxes?id=${id}`);
      return checked_utc !== null && problem === null;
    });
  const ticketsOf = async (subject: string): Promise<Json[]> =>
    (await get('tickets?limit=200')).filter((ticket: Json) => ticket.subject === subject);
  /** The only ticket with this subject, once it is there. */
  async function ticketOf(subject: string): Promise<Json> {
    await until(async () => (await ticketsOf(subject)).length > 0);
    const found = await ticketsOf(subject);
    expect(found).toHaveLength(1);
    return get(`tickets?id=${found[0].id}`);
  }
  /** What became of the received mails with this subject. */
  const outcomes = async (subject: string): Promise<string[]> =>
    (await get('received_mails?limit=200'))
      .filter((mail: Json) => mail.subject === subject)
      .map((mail: Json) => mail.outcome)
      .sort();
  const processed = (subject: string, count: number) =>
    until(async () => {
      const found = await outcomes(subject);
      return found.length >= count && !found.includes('waiting');
    });
  const write = (subject: string, more: object = {}) =>
    servers.post({ from: `Maya <${MAYA}>`, to: HELP, subject, text: `About: ${subject}`, ...more });
  /** The mail to the customer that contains these words, once it is there. */
  async function mailWith(words: string): Promise<string> {
    let found: string | undefined;
    await until(async () => {
      found = (await servers.dovecot.mailsOf(MAYA)).find((mail) => mail.includes(words));
      return found !== undefined;
    });
    return found ?? '';
  }
  const reply = async (ticket_id: number, body: string): Promise<number> => {
    const answer = await stand.rest('POST', '/v1/ticket_reply', { ticket_id, type: 'public', body });
    expect(answer.body.data.delivery).toBe('queued');
    return answer.body.data.id;
  };
  /** A reply’s mail, once it is in this state. */
  async function sent(id: number, state: string): Promise<Json> {
    await until(async () => (await get(`sent_mails?id=${id}`)).state === state);
    return get(`sent_mails?id=${id}`);
  }

  let help: number;

  it('a wrong password is named in the servers’ words, at the test and on the mailbox', async () => {
    await write('An old question');
    await until(async () => (await servers.dovecot.mailsOf(HELP)).length === 1);
    await servers.dovecot.backdate(HELP, new Date(Date.now() - 3_600_000));

    const cookie = await stand.signIn();
    const wrong = serversOf(HELP, 'a guess');
    const tested = (await stand.desk(cookie, 'mailboxes.test', wrong)).body.data.results;
    expect(tested).toMatchObject([
      { protocol: 'imap', ok: false, problem: expect.stringMatching(/^Login: .*Authentication failed/) },
      { protocol: 'smtp', ok: false, problem: expect.stringMatching(/^Login: .*535 5\.7\.8 .*failed/) },
    ]);
    help = await create({ address: HELP, has_plus_addresses: true, ...wrong });
    await until(async () => (await get(`mailboxes?id=${help}`)).problem !== null);
    expect((await get(`mailboxes?id=${help}`)).problem).toMatch(/^Login: .*Authentication failed/);

    const right = serversOf(HELP);
    const { results } = (await stand.desk(cookie, 'mailboxes.test', right)).body.data;
    expect(results).toMatchObject([{ ok: true }, { ok: true }]);
    expect((await stand.rest('PATCH', `/v1/mailboxes?id=${help}`, right)).status).toBe(200);
    await works(help);
  });

  it('a new mail becomes one ticket; mail from before the mailbox was connected isn’t read', async () => {
    await write('My lamp hums');
    const { description, requester } = await ticketOf('My lamp hums');
    expect(description).toBe('About: My lamp hums');
    expect(requester.email).toBe(MAYA);
    expect((await get('received_mails')).map((mail: Json) => mail.subject)).toEqual(['My lamp hums']);
  });

  it('a reply arrives in the customer’s thread, and the answer to it in the ticket, whatever its subject', async () => {
    await write('My lamp flickers', { messageId: '<flickers@customer.test>' });
    const { id } = await ticketOf('My lamp flickers');
    await sent(await reply(id, 'Which bulb is it?'), 'sent');
    const headers = headersOf(await mailWith('Which bulb is it?'));
    expect(headers.get('in-reply-to')).toBe('<flickers@customer.test>');
    expect(headers.get('from')).toContain(`<${HELP}>`);
    const replyTo = headers.get('reply-to') ?? '';
    expect(replyTo).toMatch(new RegExp(`^help\\+t${id}\\.[0-9a-f]{16}@shop\\.test$`));

    // Without a header of the thread, as some mail programs do it.
    await write('Something else', { to: replyTo });
    await processed('Something else', 1);
    expect(await outcomes('Something else')).toEqual(['reply']);
    await write('Anything', { inReplyTo: headers.get('message-id') });
    await processed('Anything', 1);
    expect(await outcomes('Anything')).toEqual(['reply']);
    const bodies = (await get(`tickets?id=${id}`)).replies.map((one: Json) => one.body);
    expect(bodies).toEqual(['Which bulb is it?', 'About: Something else', 'About: Anything']);
    expect([...(await ticketsOf('Something else')), ...(await ticketsOf('Anything'))]).toEqual([]);
  });

  it('a recipient that Postfix rejects is shown as refused, and one that bounces later as bounced', async () => {
    const open = async (email: string): Promise<number> => {
      const asked = { subject: `To ${email}`, body: 'Hello?', requester: { email }, mailbox_id: help };
      return (await stand.rest('POST', '/v1/tickets', asked)).body.data.id;
    };
    const refused = await sent(await reply(await open('nobody@customer.test'), 'Hello!'), 'refused');
    expect(refused.error).toMatch(/^550 5\.1\.1 .*nobody@customer\.test.* User unknown/);
    const bounced = await sent(await reply(await open(LOST), 'Hello!'), 'bounced');
    expect(bounced.error).toMatch(/550 5\.1\.1 .*User doesn't exist/);
    expect(bounced.attempts.map((one: Json) => one.outcome)).toEqual(['sent', 'bounced']);
    const [first, ...others] = await get('received_mails?outcome=bounce');
    expect([first.reason, first.reply_id, others]).toEqual(['undelivered', bounced.id, []]);
  });

  it('one mail to two mailboxes is one ticket', async () => {
    const { imap, ...others } = serversOf(SALES);
    // By STARTTLS, as the other one reads over TLS.
    const starttls = { ...imap, port: servers.dovecot.imapPort, security: 'starttls' };
    await works(await create({ address: SALES, ...others, imap: starttls }));
    await write('To both of you', { to: [HELP, SALES] });
    await processed('To both of you', 2);
    expect(await outcomes('To both of you')).toEqual(['duplicate', 'ticket']);
    await ticketOf('To both of you');
  });

  it('Postfix relays a mail to Foyer’s own server over TLS; an unknown recipient comes back to the sender', async () => {
    await create({ address: 'orders@mx.test', route: 'smtp' });
    await write('My order', { to: 'orders@mx.test' });
    const { description } = await ticketOf('My order');
    expect(description).toBe('About: My order');
    await until(async () =>
      (await servers.postfix.log()).includes('TLS connection established to 127.0.0.1'),
    );

    await write('Is anybody there?', { to: 'nobody@mx.test' });
    const report = await mailWith('Is anybody there?');
    expect(headersOf(report).get('from')).toContain('MAILER-DAEMON');
    expect(report.replace(/\s+/g, ' ')).toContain('550 No mailbox here has the address nobody@mx.test');
    expect(await outcomes('Is anybody there?')).toEqual([]);
  });

  it('what waits while Dovecot is dead becomes a ticket after its restart, and nothing twice, also if it gives its messages new numbers', async () => {
    const before = (await get('tickets?limit=200')).length;
    await servers.dovecot.kill();
    await write('Are you closed?');
    await until(async () => (await servers.postfix.deferred()) > 0);
    await until(async () => (await get(`mailboxes?id=${help}`)).problem !== null);
    await servers.dovecot.renumber(HELP);
    await servers.dovecot.start();
    await servers.postfix.flush();
    await processed('Are you closed?', 1);
    await works(help);
    expect(await outcomes('Are you closed?')).toEqual(['ticket']);

    // Everything that came since the mailbox was connected was read again.
    await processed('My lamp hums', 2);
    await processed('Anything', 2);
    expect(await outcomes('My lamp hums')).toEqual(['duplicate', 'ticket']);
    expect(await outcomes('Anything')).toEqual(['duplicate', 'reply']);
    expect(await outcomes('An old question')).toEqual([]);
    expect(await get('tickets?limit=200')).toHaveLength(before + 1);
  });
});
