/**
 * Full-text search over 1,000,000 tickets with as many replies, and search of as many visitors by name, address or key,
 * over REST, compared with the lookup of a record by its id (or key): the slowest of a hundred of each. One request at
 * a time, kinds of queries and lookups in turn. The first response of each query counts too.
 */
import { type Child, startChild } from './child.ts';
import { type Figure, ms, quantile } from './figures.ts';
import type { Timed } from './list-load.ts';
import { askedOf } from './lists.ts';
import { FIRST_MATTER, makeVocabulary, nameOf, randomFrom } from './seed-text.ts';
import { type SeededWorld, seededWorld } from './seeded-world.ts';

/** Of each kind. */
const QUESTIONS = 40;
const ROUNDS = 3;

const random = randomFrom(3);
const between = (least: number, end: number): number => least + Math.floor(random() * (end - least));

type Ask = () => string;

function ticketQuestions(): Record<string, Ask> {
  const vocabulary = makeVocabulary();
  const word = (least: number, end: number): string => vocabulary[between(least, end)] ?? '';
  const common: Ask = () => word(FIRST_MATTER, FIRST_MATTER + 50);
  const middling: Ask = () => word(1_000, 5_000);
  const rare: Ask = () => word(15_000, 30_000);
  return {
    'a common word': common,
    'a middling word': middling,
    'a rare word': rare,
    'two common words': () => `${common()} ${common()}`,
    'two words, one of them rare': () => `${common()} ${rare()}`,
    'a sentence': () => `${word(0, 20)} ${common()} ${word(0, 20)} ${middling()}`,
    'a beginning': () => (random() < 0.5 ? common() : middling()).slice(0, 4),
    'a number that no ticket has': () => String(between(100_000, 999_999)),
  };
}

/** One letter more, fewer or another, or two swapped. */
function mistyped(text: string): string {
  const at = between(1, text.length - 1);
  const [before, here, behind] = [text.slice(0, at), text.charAt(at), text.slice(at + 1)];
  const letter = 'abcdefghijklmnopqrstuvwxyz'.charAt(between(0, 26));
  const ways = [
    before + letter + here + behind,
    before + behind,
    before + letter + behind,
    before + behind.charAt(0) + here + behind.slice(1),
  ];
  const typed = ways[between(0, ways.length)] ?? text;
  return typed === text ? mistyped(text) : typed;
}

function visitorQuestions(visitors: number): Record<string, Ask> {
  const visitor = () => between(0, visitors);
  const vocabulary = makeVocabulary();
  const word = () => vocabulary[between(15_000, 30_000)] ?? '';
  const surname: Ask = () => nameOf(visitor()).last;
  const full: Ask = () => Object.values(nameOf(visitor())).join(' ');
  const address: Ask = () => {
    const at = visitor();
    return `${nameOf(at).first}.${nameOf(at).last}${at}@example.com`.toLowerCase();
  };
  return {
    'a first name': () => nameOf(visitor()).first,
    'a surname': surname,
    'a full name': full,
    'a full name as it is typed': () => full().slice(0, -between(2, 5)),
    'a full name, mistyped': () => mistyped(full()),
    'a full name, both words mistyped': () => full().split(' ').map(mistyped).join(' '),
    'a surname, mistyped': () => mistyped(surname()),
    'a surname, two typos': () => mistyped(mistyped(surname())),
    'an address': address,
    'an address, mistyped': () => mistyped(address()),
    'a key': () => `user_${visitor()}`,
    'a name that nobody has': () => `${word()} ${word()}`,
    'a number that nobody has': () => `${'xqzw'.slice(0, between(2, 5))}${between(1_000, 9_999)}q`,
  };
}

interface Kinds {
  resource: string;
  questions: Record<string, Ask>;
  lookup: Ask;
}

async function measure({ foyer, big }: SeededWorld, load: Child, kinds: Kinds): Promise<Figure[]> {
  const { resource, questions, lookup } = kinds;
  const names = Object.keys(questions);
  const paths: string[] = [];
  for (let at = 0; at < QUESTIONS; at++) {
    for (const ask of Object.values(questions))
      paths.push(`/v1/${resource}?${new URLSearchParams({ limit: '25', q: ask() })}`);
    paths.push(`/v1/${resource}?${lookup()}`);
  }
  const run = { url: foyer.url, asked: askedOf(big, paths), connections: 1, rounds: ROUNDS };
  const { times, failures } = await load.ask<Timed>({ run });
  const width = names.length + 1;
  const timesOf = (kind: number): number[] => times.filter((_, at) => at % width === kind).flat();
  const byId = quantile(timesOf(names.length), 0.99);
  const failed = (kind: number): string => {
    const count = failures.filter((_, at) => at % width === kind).reduce((sum, one) => sum + one, 0);
    return count === 0 ? '' : `, ${count} refused`;
  };
  const figure = (name: string, seen: number[], kind = -1): Figure => ({
    what: `${resource}, ${name}: p99 (median)${failed(kind)}`,
    ours: `${ms(quantile(seen, 0.99))} (${ms(quantile(seen, 0.5))})`,
    bare: `${ms(byId)} (${ms(quantile(timesOf(names.length), 0.5))})`,
    ratio: `${(quantile(seen, 0.99) / byId).toFixed(1)} ×`,
    wanted: '< 10 ×',
  });
  const all = times.filter((_, at) => at % width !== names.length).flat();
  return [...names.map((name, kind) => figure(name, timesOf(kind), kind)), figure('all of these', all)];
}

export async function search(): Promise<Figure[]> {
  const world = await seededWorld();
  const load = startChild('list-load.ts');
  const { firstTicket, tickets } = world.big;
  try {
    return [
      ...(await measure(world, load, {
        resource: 'tickets',
        questions: ticketQuestions(),
        lookup: () => `id=${firstTicket + between(0, tickets)}`,
      })),
      ...(await measure(world, load, {
        resource: 'visitors',
        questions: visitorQuestions(tickets),
        lookup: () => `key=user_${1 + between(0, tickets)}`,
      })),
    ];
  } finally {
    await load.stop();
  }
}
