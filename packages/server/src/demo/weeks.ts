import { randomUUID } from 'node:crypto';
import { DemoClock } from './clock.ts';
import { GUESTS, type GuestName } from './guests.ts';
import {
  answerAs,
  ask,
  callPerson,
  deskOf,
  endAndRate,
  enter,
  type Rated,
  run,
  type Stage,
} from './stage.ts';
import type { TeammateName } from './team.ts';

interface PastChat {
  days: number;
  /** Hours before now, on that day. */
  hours: number;
  guest: GuestName;
  asks: string[];
  /** What a person answers after the handoff. */
  person?: string;
  /** The agent who answers; Ada by default. */
  by?: TeammateName;
  tags?: string[];
  rated?: Rated;
}

/**
 * Questions that the bot can answer, that it can't, and that need people, so that the reports have something to
 * show.
 */
const PAST: readonly PastChat[] = [
  {
    days: 13,
    hours: 2,
    guest: 'hugo',
    asks: ['I need an invoice with our VAT number'],
    rated: { rating: 5 },
  },
  { days: 12, hours: 5, guest: 'tom', asks: ['how long does delivery take to Germany?'], tags: ['delivery'] },
  {
    days: 11,
    hours: 1,
    guest: 'elif',
    asks: ['can i exchange a cushion for another colour', 'And who pays for the parcel?'],
    rated: { rating: 4, comment: 'Found it right away.' },
  },
  {
    days: 10,
    hours: 4,
    guest: 'yusuf',
    asks: ['what light bulb fits the table lamp?'],
    person: 'An E14 of up to 40 watts, Yusuf. I’ve added one to your next parcel.',
    by: 'ben',
    rated: { rating: 5, comment: 'A person, within a minute!' },
  },
  { days: 9, hours: 3, guest: 'lina', asks: ['How long is a gift card valid?'], rated: { rating: 5 } },
  { days: 8, hours: 6, guest: 'amara', asks: ['how do I measure for curtains'] },
  {
    days: 7,
    hours: 1,
    guest: 'noor',
    asks: ['tracking says delivered but I got nothing'],
    person: 'I’ve asked the carrier, Noor. You’ll have an answer by noon tomorrow.',
    by: 'cleo',
    tags: ['delivery'],
    rated: { rating: 3, comment: 'Kind, but I’m still waiting for my parcel.' },
  },
  { days: 6, hours: 2, guest: 'tom', asks: ['can I pay with PayPal?'], rated: { rating: 5 } },
  { days: 5, hours: 5, guest: 'sofia', asks: ['can you send me fabric samples'], rated: { rating: 5 } },
  { days: 4, hours: 3, guest: 'hugo', asks: ['do you give trade discounts to interior designers'] },
  {
    days: 3,
    hours: 1,
    guest: 'amara',
    asks: ['Can you come by and hang the curtains?'],
    person: 'In Antwerp we can, on Fridays. Shall I call you to arrange a day?',
    tags: ['made to measure'],
    rated: { rating: 5, comment: 'They really do come to your house.' },
  },
  {
    days: 2,
    hours: 4,
    guest: 'elif',
    asks: ['how long does a refund to my credit card take'],
    tags: ['returns'],
  },
  { days: 1, hours: 2, guest: 'lina', asks: ['how much is gift wrapping'], rated: { rating: 4 } },
];

async function holdPast(
  stage: Stage,
  { days, hours, guest, asks, person, by, tags, rated }: PastChat,
): Promise<void> {
  const clock = DemoClock.daysAgo(days, hours);
  const then: Stage = { ...stage, past: clock.now };
  const visit = await enter(then, GUESTS[guest]);
  let chat: string | null = null;
  for (const text of asks) {
    chat = await ask(visit, text, chat);
    clock.pass(40);
  }
  if (chat === null) return;
  if (person) {
    await callPerson(visit, chat);
    clock.pass(50);
    await answerAs(then, chat, person, by);
    clock.pass(90);
  }
  if (tags) await run(deskOf(then), 'sessions.set_tags', { session_id: chat, tags });
  await endAndRate(visit, chat, rated);
}

/** A chat that the bot has answered and nobody has closed. */
async function withBot(stage: Stage): Promise<void> {
  const clock = DemoClock.minutesAgo(12);
  await ask(await enter({ ...stage, past: clock.now }, GUESTS.tom), 'Do you ship to Norway?');
}

/** A chat that the agent is in the middle of. */
async function withAgent(stage: Stage): Promise<void> {
  const clock = DemoClock.minutesAgo(21);
  const now: Stage = { ...stage, past: clock.now };
  const sofia = await enter(now, GUESTS.sofia);
  const chat = await ask(sofia, 'Can you make a lampshade from my own fabric?');
  clock.pass(30);
  await callPerson(sofia, chat);
  clock.pass(60);
  await answerAs(now, chat, 'Hi Sofia! Often we can. What fabric is it, and how wide is the shade?');
  clock.pass(240);
  await ask(sofia, 'Linen, and 38 cm. It was my grandmother’s curtain.', chat);
  await run(deskOf(now), 'sessions.set_tags', { session_id: chat, tags: ['made to measure'] });
}

/** A teammate's chat, with a note that mentions Ada. */
async function withColleague(stage: Stage): Promise<void> {
  const clock = DemoClock.minutesAgo(34);
  const now: Stage = { ...stage, past: clock.now };
  const elif = await enter(now, GUESTS.elif);
  const chat = await ask(elif, 'Could I get the big lantern without the engraving?');
  clock.pass(20);
  await callPerson(elif, chat);
  clock.pass(45);
  await answerAs(now, chat, 'Hi Elif! Let me ask the workshop.', 'ben');
  clock.pass(30);
  const { agentId: id, name } = stage.team.ada;
  // Without colleagues there is nobody to mention.
  if (stage.team.ben.agentId === id) return;
  await run(deskOf(now, 'ben'), 'sessions.note', {
    session_id: chat,
    client_id: randomUUID(),
    text: `@${name} does the workshop still have plain ones?`,
    mentions: [{ id, name }],
  });
}

/** Two weeks of chats, created with the same operations as real ones, and three that are still open. */
export async function holdDemoWeeks(stage: Stage): Promise<void> {
  for (const past of PAST) await holdPast(stage, past);
  await withBot(stage);
  await withAgent(stage);
  await withColleague(stage);
}
