import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, type Json, startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { type ModelStub, startModelStub } from '../../../test/model-stub.ts';
import { TestSocket } from '../../../test/sockets.ts';

let stub: ModelStub;
let app: TestApp;
let modelled: TestApp;

beforeAll(async () => {
  stub = await startModelStub();
  app = await startTestApp();
  modelled = await startTestApp({
    FOYER_AI_BASE_URL: stub.url,
    FOYER_AI_MODEL: 'stub',
    FOYER_AI_KEY: 'key',
  });
});
afterAll(async () => {
  await app.close();
  await modelled.close();
  await stub.close();
});

interface Talk {
  site: TestSite;
  visitor: TestSocket;
  desk(operation: string, input?: object): Promise<Answer>;
  asks(text: string): Promise<unknown>;
  answers(text: string): Promise<unknown>;
}

/** A chat that an agent has accepted, after the visitor asked for a person. */
async function startTalk(on: TestApp): Promise<Talk> {
  const site = await on.makeSite();
  const cookie = await on.signIn(site.admin.email);
  const { socket: visitor } = await TestSocket.visitor(on.url, site.publicKey);
  const begun = (await visitor.call('chat.request_person', {
    session_id: null,
    client_id: randomUUID(),
  })) as Json;
  const session_id = begun.session_id;
  const desk = (operation: string, input: object = {}) =>
    on.desk(cookie, operation, { session_id, ...input });
  return {
    site,
    visitor,
    desk,
    asks: (text) => visitor.call('chat.send', { session_id, client_id: randomUUID(), text }),
    answers: async (text) => {
      await desk('sessions.accept', { take_over: true });
      const sent = await desk('sessions.reply', { client_id: randomUUID(), text });
      expect(sent.status, JSON.stringify(sent.body)).toBe(200);
    },
  };
}

async function startAnswered(on: TestApp): Promise<Talk> {
  const talk = await startTalk(on);
  await talk.asks('Hello!');
  await talk.asks('I want to talk to a human');
  await talk.asks('How do I return a lamp from order #20451? I am on maya@example.com.');
  await talk.answers('Hello!');
  await talk.answers('Print the label from your account, then bring the lamp to any post office.');
  await talk.answers('Or call us on 030 901820.');
  return talk;
}

const published = async (on: TestApp, { site }: Talk): Promise<Json[]> =>
  (await on.rest(site.read, 'GET', '/v1/articles?status=Published')).body.data;

test('an answered chat becomes a draft of its question and answers, without personal data', async () => {
  const talk = await startAnswered(app);
  await talk.desk('sessions.close');
  const { status, body } = await talk.desk('copilot.draft_article');
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.data).toMatchObject({
    title: 'How do I return a lamp from order […]? I am on […].',
    body: 'Print the label from your account, then bring the lamp to any post office.\n\nOr call us on […].',
    status: 'Draft',
    category: null,
  });
  expect(await published(app, talk)).toEqual([]);
  const found = await app.rest(talk.site.read, 'GET', `/v1/articles?id=${body.data.id}`);
  expect(found.body.data.status).toBe('Draft');
  talk.visitor.cut();
});

test('drafting the same chat twice, even at once, makes one article', async () => {
  const talk = await startAnswered(app);
  const both = await Promise.all([talk.desk('copilot.draft_article'), talk.desk('copilot.draft_article')]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  const refused = both.find(({ status }) => status === 409);
  expect(refused?.body.error.reason).toBe('article_title_taken');
  talk.visitor.cut();
});

test('a chat that no agent has answered becomes a draft of the question alone, and asks no model', async () => {
  const asked = stub.asked.length;
  const talk = await startTalk(modelled);
  await talk.asks('How do I return a lamp?');
  await talk.answers('Hello!');
  const { body } = await talk.desk('copilot.draft_article');
  expect(body.data).toMatchObject({ title: 'How do I return a lamp?', body: '', status: 'Draft' });
  expect(stub.asked.length).toBe(asked);
  talk.visitor.cut();
});

test('a chat in which the visitor has said nothing becomes no article', async () => {
  const talk = await startTalk(app);
  await talk.answers('Your lamp has arrived.');
  const { status, body } = await talk.desk('copilot.draft_article');
  expect([status, body.error?.reason]).toEqual([409, 'chat_without_question']);
  talk.visitor.cut();
});

test('the model writes the article from masked text, and personal data that it invents is masked too', async () => {
  stub.behave({ kind: 'writes', pieces: ['# Returning a lamp\n', 'Print the label. Ask x@example.com.'] });
  const talk = await startAnswered(modelled);
  const { body } = await talk.desk('copilot.draft_article');
  expect(body.data).toMatchObject({
    title: 'Returning a lamp',
    body: 'Print the label. Ask […].',
    status: 'Draft',
  });
  const read = stub.asked.at(-1)?.raw ?? '';
  expect(read).toContain('bring the lamp to any post office');
  expect(read).not.toMatch(/20451|maya@example|901820/);
  talk.visitor.cut();
});

test.each([
  { kind: 'writes', pieces: ['I cannot do that.'] },
  { kind: 'writes', pieces: ['# Only a title'] },
  { kind: 'breaks', pieces: ['# Half'] },
  { kind: 'refuses', status: 500, body: '' },
] as const)('if the model fails, the draft consists of the answers: %j', async (behaviour) => {
  stub.behave(behaviour);
  const talk = await startAnswered(modelled);
  const { body } = await talk.desk('copilot.draft_article');
  expect(body.data.body).toContain('Print the label from your account');
  talk.visitor.cut();
});
