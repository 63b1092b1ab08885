import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { useGround } from '../../test/ground.ts';
import { answers } from '../../test/model-replies.ts';
import { startModelStub } from '../../test/model-stub.ts';
import { type Holder, holdUp } from '../../test/waiting.ts';
import { createLanguageModels, type LanguageModels } from '../ai/site-models.ts';
import { takeTurns } from '../bot/turn.ts';
import type { SiteContext } from '../core/context.ts';
import { createArticle } from '../knowledge/articles/articles.ts';
import { removeAgent } from '../team/remove-agent.ts';
import { upsertVisitor } from '../visitors/visitors.ts';
import { acceptSession, transferSession } from './desk.ts';
import { handOff } from './handoffs.ts';
import { giveBack } from './routing/give-back.ts';

const ground = useGround();
let ctx: SiteContext;
let sessionId: string;
let chatId: number;

beforeEach(async () => {
  ctx = await ground.makeSite();
  await upsertVisitor(ctx, { key: 'u1', name: 'Ann' });
  sessionId = `ses_${randomUUID()}`;
  const { rows } = await sql<{ id: number }>`
    insert into conversations (site_id, session_id, visitor_id, start_client_id)
    select site_id, ${sessionId}, id, gen_random_uuid() from visitors where site_id = ${ctx.site.id}
    returning id`.execute(ctx.db);
  chatId = rows[0]?.id ?? 0;
});

async function agentNamed(name: string): Promise<{ id: number; at: SiteContext }> {
  const { rows } = await sql<{ id: number }>`
    with person as (
      insert into auth_users (id, name, email) values (${randomUUID()}, ${name}, ${`${randomUUID()}@example.com`})
      returning id
    )
    insert into agents (site_id, user_id, role, name) select ${ctx.site.id}, id, 'agent', ${name} from person
    returning id`.execute(ctx.db);
  const id = rows[0]?.id ?? 0;
  return {
    id,
    at: ground.contextOf(ctx.site.id, { actor: { kind: 'agent', agentId: id, name, role: 'agent' } }),
  };
}

const handoffs = async () =>
  (
    await sql<{ agent_id: number | null; accepted_at: Date | null }>`
      select agent_id, accepted_at from handoffs where conversation_id = ${chatId} order by id`.execute(
      ctx.db,
    )
  ).rows;

const STORED = `with chat as (
    update conversations set last_seq = last_seq + 1 where id = $1 returning site_id, id, last_seq
  ) insert into messages (site_id, conversation_id, seq, client_id, sender, text)
  select site_id, id, last_seq, gen_random_uuid(), 'visitor', 'Do you sell elephants?' from chat`;

const saidByBot = async () =>
  (
    await sql<{ event: string | null }>`
      select event from messages where conversation_id = ${chatId} and sender = 'bot'`.execute(ctx.db)
  ).rows;

/** Until `count` of the works wait for the holder, or all of them have ended, which some bugs cause. */
const held = (holder: Holder, works: readonly Promise<unknown>[]) =>
  Promise.race([holder.awaited(works.length), Promise.allSettled(works)]);

test('two handoffs at once create one, and an active chat is not handed off again', async () => {
  const holder = await holdUp(ground.url);
  await holder.query('select from conversations where id = $1 for update', [chatId]);
  const calls = [1, 2].map(() => handOff(ctx, sessionId, { reason: 'visitor_request' }));
  await held(holder, calls);
  await holder.commit();
  await Promise.all(calls);
  expect(await handoffs()).toHaveLength(1);
  const ada = await agentNamed('Ada');
  await acceptSession(ada.at, sessionId, false);
  expect(await handOff(ctx, sessionId, { reason: 'rule' })).toMatchObject({
    status: 'active',
    agent_id: ada.id,
  });
  expect(await handoffs()).toHaveLength(1);
});

test('an accepted handoff keeps who accepted it and when', async () => {
  const [ada, ben] = [await agentNamed('Ada'), await agentNamed('Ben')];
  await handOff(ctx, sessionId, { reason: 'visitor_request' });
  await acceptSession(ada.at, sessionId, false);
  const [first] = await handoffs();
  expect(first).toMatchObject({ agent_id: ada.id, accepted_at: expect.any(Date) });
  await giveBack(ada.at, sessionId);
  await handOff(ctx, sessionId, { reason: 'no_answer' });
  await acceptSession(ben.at, sessionId, false);
  expect(await handoffs()).toEqual([first, { agent_id: ben.id, accepted_at: expect.any(Date) }]);
});

test('the bot waits for a message that is being stored, and answers it', async () => {
  const holder = await holdUp(ground.url);
  await holder.query(STORED, [chatId]);
  const turn = takeTurns(ctx, sessionId);
  await held(holder, [turn]);
  await holder.commit();
  await turn;
  expect(await saidByBot()).toEqual([{ event: 'not_known' }]);
});

test('two workers with one message answer it once, and neither fails', async () => {
  await ground.db.executeQuery(sql.raw(STORED.replace('$1', String(chatId))).compile(ground.db));
  const holder = await holdUp(ground.url);
  // Both may read the chat under this lock, and neither may write.
  await holder.query('select from conversations where id = $1 for share', [chatId]);
  const turns = [1, 2].map(() => takeTurns(ctx, sessionId));
  await held(holder, turns);
  await holder.commit();
  await Promise.all(turns);
  expect(await saidByBot()).toEqual([{ event: 'not_known' }]);
});

test('a worker that another has overtaken asks the language model nothing', async () => {
  const stub = await startModelStub();
  try {
    stub.behave(answers('three years', 'Three years.'));
    await createArticle(ctx, {
      title: 'Elephants',
      body: 'Elephants are sold with a warranty of three years.',
      status: 'Published',
    });
    await ground.db.executeQuery(sql.raw(STORED.replace('$1', String(chatId))).compile(ground.db));
    const models = createLanguageModels({
      environment: {
        provider: 'openai',
        baseUrl: stub.url,
        key: undefined,
        model: 'stub',
        embeddingModel: undefined,
      },
      articlesMaxChars: 10_000,
      guardedFetch: fetch,
    });
    const [read, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    // This worker has read the question, and is about to ask.
    const late: LanguageModels = {
      ...models,
      async of(at) {
        read.resolve();
        await answered.promise;
        return models.of(at);
      },
    };
    const overtaken = takeTurns(ground.contextOf(ctx.site.id, { languageModels: late }), sessionId);
    await read.promise;
    await takeTurns(ground.contextOf(ctx.site.id, { languageModels: models }), sessionId);
    answered.resolve();
    await overtaken;
    expect(stub.asked).toHaveLength(1);
    expect(await saidByBot()).toHaveLength(1);
  } finally {
    await stub.close();
  }
});

describe('an agent who is being removed', () => {
  const stateOf = async (session: string) =>
    (await sql`select status, agent_id from conversations where session_id = ${session}`.execute(ctx.db))
      .rows[0];
  let ada: Awaited<ReturnType<typeof agentNamed>>;
  let ben: typeof ada;
  beforeEach(async () => {
    [ada, ben] = [await agentNamed('Ada'), await agentNamed('Ben')];
    await handOff(ctx, sessionId, { reason: 'visitor_request' });
  });

  test('returns to the queue a chat that a colleague is just transferring to them', async () => {
    const holder = await holdUp(ground.url);
    // The transfer waits after it has checked who is on the team.
    await holder.query('select from handoffs where conversation_id = $1 for update', [chatId]);
    const transfer = transferSession(ada.at, sessionId, ben.id);
    await held(holder, [transfer]);
    const removal = removeAgent(ctx, ben.id);
    await Promise.race([holder.awaited(2), removal]);
    await holder.commit();
    await Promise.all([transfer, removal]);
    expect(await stateOf(sessionId)).toEqual({ status: 'waiting', agent_id: null });
  });

  test.each([
    ['is handed no other', () => transferSession(ada.at, sessionId, ben.id)],
    ['takes no other', () => acceptSession(ben.at, sessionId, false)],
  ])('%s once their chats are being returned', async (_title, give) => {
    const own = `ses_${randomUUID()}`;
    await sql`
      insert into conversations (site_id, session_id, visitor_id, start_client_id, status, agent_id)
      select site_id, ${own}, visitor_id, gen_random_uuid(), 'active', ${ben.id} from conversations
      where id = ${chatId}`.execute(ctx.db);
    const holder = await holdUp(ground.url);
    // The removal waits after it has marked the agent, at the first chat.
    await holder.query('select from conversations where session_id = $1 for update', [own]);
    const removal = removeAgent(ctx, ben.id);
    await held(holder, [removal]);
    const given = give().catch((error: unknown) => error);
    await Promise.race([holder.awaited(2), given]);
    await holder.commit();
    await removal;
    expect(await given).toMatchObject({ code: 'not_found' });
    expect(await stateOf(own)).toEqual({ status: 'waiting', agent_id: null });
    expect(await stateOf(sessionId)).toEqual({ status: 'waiting', agent_id: null });
  });
});
