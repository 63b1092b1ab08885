import { randomUUID } from 'node:crypto';
import type { MacroAction, TicketPriority, TicketStatus } from '@foyer/protocol';
import { DemoClock } from './clock.ts';
import { GUESTS, type GuestName } from './guests.ts';
import { deskOf, enter, mark, run, type Stage } from './stage.ts';
import type { TeammateName } from './team.ts';

const TAGS = ['delivery', 'returns', 'damage', 'made to measure'];

const MACROS: readonly { name: string; actions: MacroAction[] }[] = [
  {
    name: 'Ask for a photo',
    actions: [
      {
        type: 'reply',
        body: 'Hi {{visitor.name}},\n\nI’m sorry about that. Could you send us a photo? Then we know which part to send.\n\n{{agent.name}}',
      },
      { type: 'add_tags', tags: ['damage'] },
      { type: 'set_status', status: 'pending' },
    ],
  },
  {
    name: 'A new one is on its way',
    actions: [
      {
        type: 'reply',
        body: 'Hi {{visitor.name}},\n\nA replacement ships from our workshop today, free of charge. You can keep the old one.\n\n{{agent.name}}, {{site.name}}',
      },
      { type: 'set_status', status: 'solved' },
    ],
  },
];

interface DemoTicket {
  hours: number;
  from: GuestName;
  subject: string;
  body: string;
  priority?: TicketPriority;
  tags?: string[];
  /** The assignee. */
  assignee?: TeammateName;
  said?: { type: 'public' | 'note'; text: string; status?: TicketStatus }[];
  snoozedHours?: number;
}

/** One per status, oldest first. */
const TICKETS: readonly DemoTicket[] = [
  {
    hours: 190,
    from: 'elif',
    subject: 'Wrong colour in the box',
    body: 'I ordered the cushion in sage and got it in rust. It’s lovely, but it doesn’t go with my sofa.',
    tags: ['returns'],
    assignee: 'ben',
    said: [
      {
        type: 'public',
        text: 'Hi Elif, a sage one is on its way. The parcel includes a return label for the other one.',
        status: 'solved',
      },
    ],
  },
  {
    hours: 118,
    from: 'yusuf',
    subject: 'The lamp flickers on a dimmer',
    body: 'At full brightness it’s fine. Below half it flickers, with both bulbs I tried.',
    tags: ['damage'],
    assignee: 'cleo',
    said: [
      { type: 'note', text: 'The workshop is checking the driver of this series. Cleo will call back.' },
      {
        type: 'public',
        text: 'Hi Yusuf, our workshop is looking into it. You’ll hear from us this week.',
        status: 'hold',
      },
    ],
  },
  {
    hours: 70,
    from: 'amara',
    subject: 'Curtains for fourteen windows',
    body: 'We’re moving offices in spring. Do you measure on site, and what would fourteen windows cost?',
    priority: 'high',
    tags: ['made to measure'],
    assignee: 'ada',
    said: [{ type: 'note', text: 'From an earlier chat: Fridays work best for her.' }],
  },
  {
    hours: 26,
    from: 'hugo',
    subject: 'Invoice to our company',
    body: 'Could you make last week’s invoice out to Atelier Martin SARL?',
    assignee: 'ada',
    said: [
      {
        type: 'public',
        text: 'Hi Hugo, of course. Which VAT number should we put on it?',
        status: 'pending',
      },
    ],
  },
  {
    hours: 20,
    from: 'lina',
    subject: 'A present that mustn’t arrive early',
    body: 'Please make sure it arrives on Saturday, not before: she lives with me.',
    assignee: 'ben',
    snoozedHours: 24,
  },
  {
    hours: 2,
    from: 'noor',
    subject: 'My second parcel hasn’t arrived',
    body: 'The first came on Monday, the second was due the day after. The tracking hasn’t changed since.',
    priority: 'urgent',
    tags: ['delivery'],
  },
];

async function makeTicket(stage: Stage, ticket: DemoTicket): Promise<void> {
  const {
    hours,
    from,
    subject,
    body,
    priority = 'normal',
    tags = [],
    assignee,
    said = [],
    snoozedHours,
  } = ticket;
  const clock = DemoClock.daysAgo(0, hours);
  const then: Stage = { ...stage, past: clock.now };
  const desk = deskOf(then);
  await enter(then, GUESTS[from]);
  const { key } = GUESTS[from];
  const { id } = await run(desk, 'tickets.create', { subject, body, requester: { key }, priority, tags });
  await mark(then, 'ticket', id);
  clock.pass(1_800);
  if (assignee) await run(desk, 'tickets.update', { id, assignee_id: stage.team[assignee].agentId });
  for (const { type, text, status } of said) {
    clock.pass(600);
    await run(deskOf(then, assignee), 'tickets.reply', {
      ticket_id: id,
      client_id: randomUUID(),
      type,
      text,
      ...(status ? { status } : {}),
    });
  }
  if (snoozedHours)
    await run(deskOf(stage), 'ticket_snoozes.set', { ticket_id: id, minutes: snoozedHours * 60 });
}

/** Creates a ticket in each status. */
export async function makeDemoTickets(stage: Stage): Promise<void> {
  for (const ticket of TICKETS) await makeTicket(stage, ticket);
}

/** Creates the team's tags and macros. */
export async function makeDemoTools(stage: Stage): Promise<void> {
  const desk = deskOf(stage);
  for (const name of TAGS) await mark(stage, 'tag', (await run(desk, 'tags.create', { name })).id);
  for (const macro of MACROS) await mark(stage, 'macro', (await run(desk, 'macros.create', macro)).id);
}
