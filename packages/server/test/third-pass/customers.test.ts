import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSearch } from '../../../widget/src/challenge/search.ts';
import { type Answer, answerOf, type Json, startTestApp, type TestApp, type TestSite } from '../app.ts';
import { TestSocket } from '../sockets.ts';
import { say } from '../stand.ts';

// What visitors try: to get secrets past the redaction, to be shown messages that aren't for them, to solve a challenge once for many chats.

let app: TestApp;
let site: TestSite;
let ada: string;
beforeAll(async () => {
  app = await startTestApp({}, { admittedPerMinute: { chat: 1000, visitor: 1000, greeting: 1000 } });
});
beforeEach(async () => {
  site = await app.makeSite();
  ada = await app.signIn(site.admin.email);
});
afterAll(() => app.close());

const done = ({ status, body }: Answer): Json => {
  expect([status, body.error?.message]).toEqual([200, undefined]);
  return body.data;
};

async function tablesWith(text: string): Promise<string[]> {
  const { db } = app.app.database;
  const found: string[] = [];
  for (const { schema = 'public', name } of await db.introspection.getTables()) {
    const { rows } = await sql`
      select from ${sql.id(schema, name)} record where position(${text} in record::text) > 0
        or position(encode(convert_to(${text}, 'UTF8'), 'hex') in record::text) > 0`.execute(db);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

const wide = (text: string): string =>
  text.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)));
const arabic = (text: string): string =>
  text.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)));
const joined = (by: string): string => '4111111111111111'.match(/..../g)?.join(by) ?? '';

describe('a card number', () => {
  beforeEach(async () => {
    done(
      await app.desk(ada, 'site.update', {
        redaction: { kinds: ['card', 'iban', 'password'], patterns: [] },
      }),
    );
  });
  it.each([
    ['full-width digits', wide('4111 1111 1111 1111')],
    ['Arabic digits', arabic('4111111111111111')],
    ['zero-width spaces', joined('\u200b')],
    ['zero-width joiners', joined('\u200d')],
    ['no-break spaces', joined('\u00a0')],
    ['narrow no-break spaces', joined('\u202f')],
    ['soft hyphens', joined('\u00ad')],
    ['word joiners', joined('\u2060')],
    ['dots', joined('.')],
    ['slashes', joined('/')],
    ['underscores', joined('_')],
    ['two spaces', joined('  ')],
    ['tabs', joined('\t')],
    ['line breaks', joined('\n')],
    ['en dashes', joined('–')],
    ['non-breaking hyphens', joined('\u2011')],
    ['a space after each digit', '4111111111111111'.split('').join(' ')],
    ['a hyphen after each digit', '4111111111111111'.split('').join('-')],
    ['bold markup', '**4111** **1111** **1111** **1111**'],
    ['code', '`4111` `1111` `1111` `1111`'],
    ['per cent signs', encodeURIComponent('4111 1111 1111 1111')],
    ['plus signs', joined('+')],
  ])('with %s is not stored', async (_what, number) => {
    const { socket } = await TestSocket.visitor(app.url, site.publicKey);
    const marker = randomUUID();
    const { message } = (await socket.call('chat.send', {
      session_id: null,
      client_id: randomUUID(),
      text: `${marker} pay ${number} please`,
    })) as Json;
    socket.cut();
    expect(message.text).not.toContain(number.trim());
  });

  it('in a subject or an answer before the chat is not stored', async () => {
    const subject = await app.rest(site.write, 'POST', '/v1/tickets', {
      subject: 'Card 4111/1111/1111/1111',
      body: 'x',
      requester: { key: 'user_a' },
    });
    expect(subject.body.data.subject).toBe('Card •••• 1111');
    const { socket } = await TestSocket.visitor(app.url, site.publicKey);
    await socket.call('chat.introduce', {
      name: 'I, 4111\u00ad1111\u00ad1111\u00ad1111',
      attributes: { order: '4111_1111_1111_1111' },
    });
    socket.cut();
    for (const number of ['4111/1111', '4111\u00ad1111', '4111_1111'])
      expect([number, await tablesWith(number)]).toEqual([number, []]);
  });
});

describe('a proactive message', () => {
  const make = async (more: object = {}, of = site): Promise<Json> =>
    (
      await app.rest(of.write, 'POST', '/v1/proactive_messages', {
        name: randomUUID(),
        texts: { en: 'Any questions?' },
        enabled: true,
        ...more,
      })
    ).body.data;
  const ask = (what: string, id: unknown, key: string, of = site, more: object = {}) =>
    fetch(`${app.url}/widget/proactive?site=${of.publicKey}`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: JSON.stringify({ do: what, id, key, ...more }),
    }).then(answerOf);

  it('that was never shown, is disabled or belongs to another site is added to no chat', async () => {
    const other = await app.makeSite();
    const [unseen, off, theirs] = [
      await make({ texts: { en: 'Secret price 7' } }),
      await make({ enabled: false, texts: { en: 'Secret price 8' } }),
      await make({ texts: { en: 'Secret price 9' } }, other),
    ];
    for (const { id } of [unseen, off, theirs]) {
      const { socket } = await TestSocket.visitor(app.url, site.publicKey);
      const sent = (await socket
        .call('chat.send', { session_id: null, client_id: randomUUID(), text: 'Yes', proactive_id: id })
        .catch((error) => ({ error }))) as Json;
      const { body } = sent.session
        ? await app.rest(site.read, 'GET', `/v1/conversation_messages?session_id=${sent.session.session_id}`)
        : { body: { data: [] } };
      expect(JSON.stringify(body.data)).not.toMatch(/Secret price/);
      socket.cut();
    }
  });

  it('is shown for one of 40 concurrent requests, and not to an unverified visitor', async () => {
    const { id } = await make();
    const key = `anon_${randomUUID()}`;
    const all = await Promise.all(Array.from({ length: 40 }, () => ask('show', id, key)));
    expect(all.filter(({ status, body }) => status === 200 && body.data.bubble !== null)).toHaveLength(1);
    done(await app.desk(ada, 'identity_secret.rotate', {}));
    await app.rest(site.write, 'POST', '/v1/visitors', { key: 'user_42', name: 'Maya' });
    for (const more of [{}, { user_hash: '' }, { user_hash: 'x'.repeat(64) }]) {
      const { body } = await ask('show', (await make()).id, 'user_42', site, more);
      expect(body.data?.bubble ?? null).toBeNull();
    }
    for (const bad of [
      { id: '1' },
      { id: -1 },
      { id: 1.5 },
      { id: { $gt: 0 } },
      { do: 'delete' },
      { key: '__proto__' },
      { locale: 'x'.repeat(1e5) },
    ])
      expect(
        (
          await fetch(`${app.url}/widget/proactive?site=${site.publicKey}`, {
            method: 'POST',
            headers: { 'content-type': 'text/plain' },
            body: JSON.stringify({ do: 'show', id, key, ...bad }),
          })
        ).status,
      ).toBeLessThan(500);
  });
});

describe('one solution of a challenge', () => {
  it('admits one chat, however it is written the second time', async () => {
    done(await app.desk(ada, 'site.update', { challenges: 'always' }));
    const open = async () => {
      const socket = await TestSocket.open(`${app.url}/widget/socket?site=${site.publicKey}`);
      socket.send({ type: 'hello', key: `anon_${randomUUID()}`, solves: true });
      const outcome = say(socket, null, 'Good morning').then(
        () => 'said',
        ({ code }: { code: string }) => code,
      );
      const { id, challenge } = await socket.next('challenge', (frame) => frame.id !== undefined);
      return {
        socket,
        challenge,
        answer: (solution: Json) => {
          socket.send({ type: 'solution', id, ...solution } as never);
          return outcome;
        },
      };
    };
    const solved = (challenge: Json): Json => {
      const search = createSearch(challenge.parameters);
      for (;;) {
        const solution = search();
        if (solution) return { challenge, solution };
      }
    };
    const first = await open();
    const { challenge } = first as Json;
    const solution = solved(challenge);
    expect(await first.answer(solution)).toBe('said');
    first.socket.cut();
    const s = solution.solution;
    const variants: Json[] = [
      solution,
      { ...solution, extra: 1 },
      { challenge: { ...challenge, extra: 1 }, solution: s },
      { challenge: { ...challenge, parameters: { ...challenge.parameters, extra: 1 } }, solution: s },
      { challenge: { ...challenge, signature: String(challenge.signature).toUpperCase() }, solution: s },
      { challenge: { ...challenge, signature: `${challenge.signature}=` }, solution: s },
      { challenge: { ...challenge, signature: ` ${challenge.signature}` }, solution: s },
      {
        challenge: {
          ...challenge,
          parameters: { ...challenge.parameters, nonce: String(challenge.parameters.nonce).toUpperCase() },
        },
        solution: s,
      },
      {
        challenge: {
          ...challenge,
          parameters: { ...challenge.parameters, salt: `${challenge.parameters.salt}0` },
        },
        solution: s,
      },
      {
        challenge: { ...challenge, parameters: { ...challenge.parameters, expiresAt: 9_999_999_999 } },
        solution: s,
      },
      { challenge: { ...challenge, parameters: { ...challenge.parameters, cost: 1 } }, solution: s },
      { challenge: { ...challenge, parameters: { ...challenge.parameters, keyPrefix: '' } }, solution: s },
      { challenge: Object.fromEntries(Object.entries(challenge).reverse()), solution: { ...s } },
      {
        challenge: {
          ...challenge,
          parameters: Object.fromEntries(Object.entries(challenge.parameters).reverse()),
        },
        solution: s,
      },
      { challenge, solution: { ...s, counter: Number(s.counter) + 2 ** 32 } },
      { challenge, solution: { ...s, counter: `${s.counter}.0` } },
      { challenge, solution: { ...s, time: 1 } },
    ];
    for (const [n, variant] of variants.entries()) {
      const { socket, answer } = await open();
      const outcome = await Promise.race([
        answer(variant),
        socket.whenClosed().then(({ reason }) => `closed: ${reason}`),
      ]);
      expect([n, outcome]).not.toEqual([n, 'said']);
      socket.cut();
    }
  });
});
