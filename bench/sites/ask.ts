/** Asks the questions of a site as its visitors do, over the widget's socket, and classifies each outcome. */
import { randomUUID } from 'node:crypto';
import { LANGUAGES, type Language, type Message } from '@foyer/protocol';
import { notKnown } from '../../packages/server/src/bot/phrases.ts';
import { createArticle } from '../../packages/server/src/knowledge/articles/articles.ts';
import { splitArticle } from '../../packages/server/src/knowledge/search/passages.ts';
import { textOf } from '../../packages/server/src/knowledge/search/vectors/passage-vectors.ts';
import { createSite } from '../../packages/server/src/sites/sites.ts';
import { TestSocket } from '../../packages/server/test/sockets.ts';
import { contextOf } from '../context.ts';
import type { World } from '../foyer.ts';
import { type BenchSite, comparable, containsFact, type Question } from './read.ts';

export type Outcome =
  /** The answer contains all expected facts. */
  | 'correct'
  /** Offered articles to choose from; the right one, once chosen, gives a correct answer. */
  | 'chosen'
  /** Offered the right article, but once chosen, its answer is incomplete. */
  | 'offered'
  /** Offered other articles. */
  | 'asked'
  /** Answered from the right article, but incompletely. */
  | 'incomplete'
  /** Answered from another article. */
  | 'wrong'
  | 'unknown'
  /** The bot handed over. */
  | 'person'
  | 'small_talk';

export interface Asked {
  readonly site: BenchSite;
  readonly question: Question;
  readonly outcome: Outcome;
  /** The bot's last message on one line, with the titles of its sources. */
  readonly said: string;
}

/** A site as it is in the database. */
interface Shop {
  readonly site: BenchSite;
  readonly publicKey: string;
  readonly language: Language;
  readonly foyer: World['foyer'];
}

/** Concurrent questions, each from its own visitor. */
const AT_ONCE = 4;

/** Creates the site with its articles and asks each of its questions in a separate chat. */
export async function askSite(world: World, site: BenchSite): Promise<Asked[]> {
  const shop = await open(world, site);
  const waiting = [...site.questions.entries()];
  const asked: Asked[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [at, question] = next;
      asked[at] = await ask(shop, question);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return asked;
}

async function open(world: World, site: BenchSite): Promise<Shop> {
  const language = LANGUAGES.find((one) => one === site.language);
  if (language === undefined) throw new Error(`Foyer doesn't speak ${site.language}`);
  const { id, publicKey } = await createSite(world.database.db, {
    name: site.name,
    plan: 'growth',
    language,
  });
  const operator = contextOf(world.database.db, id);
  for (const { title, body } of site.articles)
    await createArticle(operator, { title, body, status: 'Published' });
  const shop = { site, publicKey, language, foyer: world.foyer };
  if (process.env.FOYER_ENCODER && language === 'en') await waitForVectors(world, shop, id);
  return shop;
}

/** The first question builds the index, whose passages are then encoded in the background. */
async function waitForVectors(world: World, shop: Shop, siteId: number): Promise<void> {
  const [first] = shop.site.questions;
  if (first) await ask(shop, first);
  const passages = shop.site.articles.flatMap(({ title, body }) => splitArticle({ id: 1, title, body }));
  const wanted = new Set(passages.filter(({ text }) => text !== '').map(textOf)).size;
  for (;;) {
    const rows = await world.database.db
      .selectFrom('passage_vectors')
      .select('text_hash')
      .where('site_id', '=', siteId)
      .execute();
    if (rows.length >= wanted) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Each visitor has its own address, because the number of questions from one address is limited. */
const address = (): string =>
  `10.${Array.from({ length: 3 }, () => Math.floor(Math.random() * 250) + 1).join('.')}`;

async function ask(shop: Shop, question: Question): Promise<Asked> {
  const socket = await TestSocket.open(
    `${shop.foyer.url.replace(/^http/, 'ws')}/widget/socket?site=${shop.publicKey}`,
    { 'x-forwarded-for': address() },
  );
  socket.send({ type: 'hello', key: `anon_${randomUUID()}`, locale: shop.language });
  await socket.next('welcome');
  try {
    const chat = new Chat(socket);
    let reply: Message | undefined;
    for (const text of question.ask) reply = await chat.say(text);
    const outcome = await outcomeOf(shop, question, reply, chat);
    return { site: shop.site, question, outcome, said: shown(reply) };
  } finally {
    socket.cut();
  }
}

/** One visitor's chat. */
class Chat {
  readonly #socket: TestSocket;
  #sessionId: string | null = null;

  constructor(socket: TestSocket) {
    this.#socket = socket;
  }

  /** Returns the bot's reply or its handoff; undefined if the bot had handed over before. */
  async say(text: string): Promise<Message | undefined> {
    const sent = (await this.#socket.call('chat.send', {
      session_id: this.#sessionId,
      client_id: randomUUID(),
      text,
    })) as { session: { session_id: string } | null; message: { seq: number } };
    if (sent.session) {
      this.#sessionId = sent.session.session_id;
      await this.#socket.subscribe(this.#sessionId);
    }
    const { message } = await this.#socket.next(
      'message',
      ({ message: { seq, sender, event } }) =>
        event === 'handed_off' || (seq > sent.message.seq && sender !== 'visitor'),
    );
    return message.seq > sent.message.seq ? message : undefined;
  }
}

async function outcomeOf(
  { site, language }: Shop,
  question: Question,
  reply: Message | undefined,
  chat: Chat,
): Promise<Outcome> {
  if (reply === undefined) return 'unknown';
  if (reply.sender === 'system') return 'person';
  const right = new Set(
    site.articles
      .filter(({ slug }) => question.articles.includes(slug))
      .map(({ title }) => comparable(title)),
  );
  const named = reply.sources.map(({ title }) => title);
  const rightOne = named.find((title) => right.has(comparable(title)));
  if (reply.event === 'asked_back') {
    if (rightOne === undefined) return 'asked';
    return saysAll(question, await chat.say(rightOne)) ? 'chosen' : 'offered';
  }
  if (named.length > 0) {
    if (saysAll(question, reply)) return 'correct';
    return rightOne === undefined ? 'wrong' : 'incomplete';
  }
  const unknown = [notKnown(language, false), notKnown(language, true)];
  return unknown.includes(reply.text) ? 'unknown' : 'small_talk';
}

const saysAll = ({ facts }: Question, reply: Message | undefined): boolean =>
  reply !== undefined && facts.length > 0 && facts.every((fact) => containsFact(reply.text, fact));

const shown = (reply: Message | undefined): string =>
  reply === undefined
    ? '(nothing: a person was called before)'
    : [reply.text || reply.event, ...reply.sources.map(({ title }) => `[${title}]`)]
        .join(' ')
        .replace(/\s+/g, ' ');
