import { lexemesOf } from '../packages/server/src/text/search-words.ts';
import { makeVocabulary, makeWriter, nameOf, randomFrom, type Writer, zipf } from './seed-text.ts';

const DAY_MS = 86_400_000;
/** The period over which the tickets of a site are spread evenly. */
const SPAN_MS = 730 * DAY_MS;
/** Solved tickets are closed after this time. */
const CLOSE_AFTER_MS = 14 * DAY_MS;
const TAG_COUNT = 200;

const vocabulary = makeVocabulary();
/** Sorted by frequency of use; nothing else in the vocabulary contains a number. */
export const TAGS: readonly string[] = Array.from({ length: TAG_COUNT }, (_, at) => `tag-${at + 1}`);

export interface SeedVisitor {
  key: string;
  email: string;
  name: string;
  attributes: string;
  first: string;
  last: string;
}

/** Every tenth has no name; names recur as they do among people. */
export function makeVisitor(at: number, now: number): SeedVisitor {
  const { first, last } = nameOf(at);
  const seen = now - (at % 700) * DAY_MS - 1;
  const plan = ['free', 'starter', 'growth'][at % 3];
  return {
    key: `user_${at + 1}`,
    email: `${first}.${last}${at}@example.com`.toLowerCase(),
    name: at % 10 === 9 ? '' : `${first} ${last}`,
    attributes: `{"plan": "${plan}", "orders": ${at % 40}}`,
    first: new Date(seen - DAY_MS).toISOString(),
    last: new Date(seen).toISOString(),
  };
}

interface SeedReply {
  type: 'public' | 'note';
  body: string;
  /** Null: the requester. */
  agentId: number | null;
  created: string;
}

export interface SeedTicket {
  subject: string;
  description: string;
  status: string;
  priority: string;
  requester: number;
  assigneeId: number | null;
  snoozedUntil: string | null;
  solved: string | null;
  publicReplies: number;
  created: string;
  updated: string;
  replies: SeedReply[];
  tagIds: number[];
  /** In PostgreSQL's input format of a tsvector. */
  words: string;
}

/** The numbers of replies of a hundred tickets, a hundred replies in total. */
const REPLIES_OF_HUNDRED = [
  [0, 45],
  [1, 30],
  [2, 13],
  [3, 7],
  [4, 3],
  [5, 1],
  [6, 1],
].flatMap(([replies = 0, tickets = 0]) => Array.from({ length: tickets }, () => replies));

function weighted<T>(random: () => number, ...choices: readonly (readonly [T, number])[]): T {
  let left = random();
  for (const [value, share] of choices) {
    left -= share;
    if (left < 0) return value;
  }
  const last = choices.at(-1);
  if (!last) throw new Error('nothing to choose from');
  return last[0];
}

/** Old tickets are closed, except for a backlog; new ones have any other status. */
const statusAt = (ageMs: number, random: () => number): string =>
  ageMs > CLOSE_AFTER_MS
    ? weighted(random, ['closed', 0.94], ['open', 0.025], ['pending', 0.025], ['hold', 0.008], ['new', 0.002])
    : weighted(random, ['solved', 0.4], ['open', 0.25], ['pending', 0.18], ['new', 0.12], ['hold', 0.05]);

interface TicketsWanted {
  siteId: number;
  count: number;
  visitors: number;
  agentIds: readonly number[];
  tagIds: readonly number[];
  now: number;
}

interface Draws {
  random: () => number;
  writer: Writer;
  agent: () => number;
  tag: () => number;
}

const iso = (ms: number): string => new Date(ms).toISOString();

function tagsOf({ random, tag }: Draws, tagIds: readonly number[]): number[] {
  const wanted = weighted(random, [0, 0.3], [1, 0.35], [2, 0.2], [3, 0.15]);
  const found = new Set<number>();
  for (let at = 0; at < wanted; at++) found.add(tagIds[tag()] ?? 0);
  return [...found];
}

function repliesOf(draws: Draws, wanted: TicketsWanted, count: number, created: number): SeedReply[] {
  const { random, writer, agent } = draws;
  return Array.from({ length: count }, (_, at) => {
    const byAgent = at % 2 === 0;
    return {
      type: byAgent && random() < 0.2 ? 'note' : 'public',
      body: writer.prose(10, 40),
      agentId: byAgent ? (wanted.agentIds[agent()] ?? null) : null,
      created: iso(Math.min(wanted.now, created + (at + 1) * 3_600_000)),
    };
  });
}

/** The words of each text separately, as tickets/search.ts adds them. */
function wordsOfTicket(siteId: number, texts: readonly string[]): string {
  const words = new Set<string>();
  for (const text of texts) for (const word of lexemesOf(siteId, text)) words.add(word);
  let found = '';
  for (const word of words) found += `'${word}' `;
  return found;
}

function makeTicket(draws: Draws, wanted: TicketsWanted, at: number, replyCount: number): SeedTicket {
  const { random, writer, agent } = draws;
  const { siteId, now, agentIds, visitors, count } = wanted;
  const created = Math.floor(now - SPAN_MS + ((at + random()) * SPAN_MS) / count);
  const status = statusAt(now - created, random);
  const isDone = status === 'closed' || status === 'solved';
  const updated = Math.floor(Math.min(now, created + -Math.log(1 - random()) * 2 * DAY_MS));
  const isAssigned = status !== 'new' && random() < (isDone ? 0.9 : 0.7);
  const subject = writer.words(3, 8);
  const order = random() < 0.3 ? ` Order ${10_000_000 + Math.floor(random() * 90_000_000)}.` : '';
  const description = writer.prose(12, 40) + order;
  const replies = repliesOf(draws, wanted, replyCount, created);
  return {
    subject,
    description,
    status,
    priority: weighted(random, ['normal', 0.6], ['low', 0.2], ['high', 0.15], ['urgent', 0.05]),
    // A few visitors have many tickets, most have one or two.
    requester: Math.floor(visitors * random() ** 2),
    assigneeId: isAssigned ? (agentIds[agent()] ?? null) : null,
    snoozedUntil: !isDone && random() < 0.1 ? iso(now + DAY_MS * (1 + random() * 30)) : null,
    solved: isDone ? iso(updated) : null,
    publicReplies: replies.filter(({ type }) => type === 'public').length,
    created: iso(created),
    updated: iso(updated),
    replies,
    tagIds: tagsOf(draws, wanted.tagIds),
    words: wordsOfTicket(siteId, [`${subject}\n${description}`, ...replies.map(({ body }) => body)]),
  };
}

/** Oldest first. */
export function* makeTickets(wanted: TicketsWanted): Generator<SeedTicket> {
  const random = randomFrom(2);
  const draws: Draws = {
    random,
    writer: makeWriter(vocabulary, random),
    agent: zipf(wanted.agentIds.length, random),
    tag: zipf(wanted.tagIds.length, random),
  };
  for (let at = 0; at < wanted.count; at++) {
    // 37 and 100 share no divisor: each hundred goes through the deck once, out of order.
    const replies = REPLIES_OF_HUNDRED[(at * 37) % 100] ?? 0;
    yield makeTicket(draws, wanted, at, replies);
  }
}
