import type { Message, Note, RoutingDecision } from '@foyer/protocol';
import type { Outgoing } from '../../../live/outbox.ts';
import { sameDay } from '../../../times.ts';

/** A system message. */
export interface EventEntry {
  kind: 'event';
  key: string;
  utc: string;
  message: Message;
  /** The chat was assigned to an agent who hasn't written yet. */
  isAssignment: boolean;
  /** Why routing assigned it; undefined if it didn't. */
  decision?: RoutingDecision;
}

export type Entry =
  | { kind: 'day'; key: string; utc: string }
  | { kind: 'message'; key: string; utc: string; message: Message; first: boolean }
  | EventEntry
  | { kind: 'note'; key: string; utc: string; note: Note }
  | { kind: 'routing'; key: string; utc: string; decision: RoutingDecision }
  | { kind: 'outgoing'; key: string; utc: string; item: Outgoing; first: boolean };

/** Messages of one author within this time are grouped under one name. */
const TOGETHER_MS = 5 * 60_000;

const near = (left: string, right: string): boolean => Date.parse(right) - Date.parse(left) < TOGETHER_MS;

function follows(before: Entry | undefined, message: Message): boolean {
  return (
    before?.kind === 'message' &&
    before.message.sender === message.sender &&
    before.message.author?.id === message.author?.id &&
    near(before.utc, message.created_utc)
  );
}

/**
 * An assigned agent joins with their first message, because it is unknown whether they saw the chat before. If there is
 * no message in between, one line says both, unless the first one has the reasons of routing.
 */
function join(entries: Entry[], assignment: EventEntry, first: Message): void {
  if (entries.at(-1) === assignment && !assignment.decision) assignment.isAssignment = false;
  else {
    const { decision: _, ...joined } = assignment;
    entries.push({ ...joined, key: `j${first.seq}`, utc: first.created_utc, isAssignment: false });
  }
}

/** Whether a decision of routing caused a message that an agent has joined: they are stored together. */
const explains = ({ kind, agent, created_utc }: RoutingDecision, message: Message): boolean =>
  kind === 'assigned' &&
  message.event === 'agent_joined' &&
  agent?.id === message.author?.id &&
  created_utc === message.created_utc;

/** Entries besides messages, oldest first. An assignment is part of the message that the agent has joined. */
function besides(notes: readonly Note[], decisions: readonly RoutingDecision[]): Entry[] {
  const all = [
    ...notes
      .toSorted((one, two) => one.id - two.id)
      .map((note) => ({ kind: 'note' as const, key: `n${note.id}`, utc: note.created_utc, note })),
    ...decisions
      .filter(({ kind }) => kind !== 'assigned')
      .map((decision) => ({
        kind: 'routing' as const,
        key: `r${decision.id}`,
        utc: decision.created_utc,
        decision,
      })),
  ];
  return all.toSorted((one, two) => one.utc.localeCompare(two.utc));
}

/** Messages by `seq`, with notes and decisions among them by time. */
function inOrder(
  messages: readonly Message[],
  notes: readonly Note[],
  decisions: readonly RoutingDecision[],
): Entry[] {
  const entries: Entry[] = [];
  let assignment: EventEntry | undefined;
  const left = besides(notes, decisions);
  for (const message of messages) {
    while (left[0] && left[0].utc < message.created_utc) entries.push(...left.splice(0, 1));
    const base = { key: `m${message.seq}`, utc: message.created_utc, message };
    if (message.sender === 'system') {
      const entry: EventEntry = { kind: 'event', ...base, isAssignment: message.event === 'agent_joined' };
      const decision = decisions.find((one) => explains(one, message));
      if (decision) entry.decision = decision;
      if (entry.isAssignment) assignment = entry;
      entries.push(entry);
      continue;
    }
    if (assignment && message.sender === 'agent' && message.author?.id === assignment.message.author?.id) {
      join(entries, assignment, message);
      assignment = undefined;
    }
    entries.push({ kind: 'message', ...base, first: !follows(entries.at(-1), message) });
  }
  return [...entries, ...left];
}

/** The chat's rows: days, messages, events, notes, and pending messages at the end. */
export function timelineOf(
  messages: readonly Message[],
  notes: readonly Note[],
  outgoing: readonly Outgoing[],
  decisions: readonly RoutingDecision[] = [],
): Entry[] {
  const arrived = new Set(messages.map((message) => message.client_id));
  const entries: Entry[] = [];
  for (const entry of inOrder(messages, notes, decisions)) {
    const before = entries.at(-1);
    if (!before || !sameDay(before.utc, entry.utc)) {
      entries.push({ kind: 'day', key: `d${entry.key}`, utc: entry.utc });
      if (entry.kind === 'message') entry.first = true;
    }
    entries.push(entry);
  }
  for (const item of outgoing) {
    // A sent note appears among the notes at the same moment.
    if (arrived.has(item.client_id) || (item.kind === 'note' && item.state === 'sent')) continue;
    const first = entries.at(-1)?.kind !== 'outgoing';
    entries.push({ kind: 'outgoing', key: `o${item.client_id}`, utc: item.created_utc, item, first });
  }
  return entries;
}
