import type { OfficeHours, SlaPolicy, SlaTarget, TicketPriority } from '@foyer/protocol';
import { SLA_TARGETS } from '@foyer/protocol';
import { MINUTE_MS } from '@foyer/protocol/values/durations';
import { openTimeAfter, openTimeBetween } from '@foyer/protocol/values/office-clock';
import type { Promised, SlaState } from '../db/column-types.ts';
import type { SlaColumns, SlaEvent, SlaFacts } from './state.ts';

/** The policy that applies to a ticket or chat. */
export interface Applying {
  policy: Pick<SlaPolicy, 'id' | 'name' | 'targets' | 'warn_minutes' | 'pauses'>;
  /** Null: around the clock. */
  hours: OfficeHours | null;
  priority: TicketPriority;
}

interface Counting extends Applying {
  now: Date;
  facts: SlaFacts;
}

export interface SlaResult {
  columns: SlaColumns;
  events: SlaEvent[];
  /** A target that was warned about or late is met, or no longer counts. */
  isSettled: boolean;
}

const NONE: SlaColumns = { sla: null, sla_due_at: null, sla_event_at: null };

const after = (hours: OfficeHours | null, from: Date, ms: number): Date | null =>
  hours ? openTimeAfter(hours, from, ms) : new Date(from.getTime() + Math.max(0, ms));

const between = (hours: OfficeHours | null, from: Date, to: Date): number =>
  hours ? openTimeBetween(hours, from, to) : to.getTime() - from.getTime();

const msOf = ({ policy, priority }: Applying, target: SlaTarget): number | null => {
  const minutes = policy.targets[target][priority];
  return minutes === null ? null : minutes * MINUTE_MS;
};

const isPast = (at: string | null, now: Date): boolean => at !== null && new Date(at) <= now;

/**
 * When `ms` from `from` have passed, and when that is warned about. Reports of an earlier due time no longer count;
 * those of the same time do, even if this process's clock is behind the one that reported it.
 */
function timed(
  { hours, policy, now }: Counting,
  from: Date,
  ms: number,
  before: Promised | undefined,
): Pick<Promised, 'due' | 'warn' | 'warned' | 'missed'> {
  const warnMs = (policy.warn_minutes ?? 0) * MINUTE_MS;
  const due = after(hours, from, ms)?.toISOString() ?? null;
  const warns = due !== null && warnMs > 0 && warnMs < ms;
  const warn = warns ? (after(hours, from, ms - warnMs)?.toISOString() ?? null) : null;
  return {
    due,
    warn,
    warned: before?.warned === true && (before.warn === warn || isPast(warn, now)),
    missed: before && (before.missed === due || isPast(due, now)) ? before.missed : null,
  };
}

/** A target that runs from `since` without a pause. */
function running(counting: Counting, since: Date, ms: number, before: Promised | undefined): Promised {
  const same = before?.since === since.toISOString() ? before : undefined;
  return { since: since.toISOString(), ...timed(counting, since, ms, same), done: null };
}

function firstResponse(counting: Counting, before: Promised | undefined): Promised | undefined {
  const { facts, now } = counting;
  const ms = msOf(counting, 'first_response');
  if (facts.replied_at) return before && { ...before, done: before.done ?? now.toISOString() };
  if (facts.solved_at) return before?.missed ? before : undefined;
  return ms === null ? undefined : running(counting, facts.created_at, ms, before);
}

type Answers = Pick<SlaState, 'next_response' | 'answers'>;

/** Counts an answer that another one follows. */
function counted({ next_response: last, answers = { met: 0, missed: 0 } }: Answers): SlaState['answers'] {
  if (last?.missed) return { ...answers, missed: answers.missed + 1 };
  return last?.done ? { ...answers, met: answers.met + 1 } : answers;
}

function nextResponse(counting: Counting, before: Answers): Answers {
  const { facts, now } = counting;
  const { next_response: last, answers } = before;
  const kept = answers && { answers };
  const { unanswered_since: since, replied_at, solved_at } = facts;
  if (!since)
    return last ? { ...kept, next_response: { ...last, done: last.done ?? now.toISOString() } } : {};
  if (solved_at) return last?.missed || last?.done ? { ...kept, next_response: last } : { ...kept };
  const ms = msOf(counting, 'next_response');
  if (!replied_at || ms === null) return { ...kept, ...(last?.done && { next_response: last }) };
  const isSame = last?.since === since.toISOString();
  const earlier = isSame || !last ? kept : { answers: counted(before) };
  return { ...earlier, next_response: running(counting, since, ms, last) } as Answers;
}

type Resolution = NonNullable<SlaState['resolution']>;

function resolution(counting: Counting, before: Resolution | undefined): Resolution | undefined {
  const { facts, policy, hours, now } = counting;
  const ms = msOf(counting, 'resolution');
  if (ms === null) return before?.done ? before : undefined;
  const stands = facts.solved_at !== null || policy.pauses.some((one) => facts.pauses.includes(one));
  const from = before ? before.running : facts.created_at.toISOString();
  const passed = before?.passed_ms ?? 0;
  const own = {
    since: facts.created_at.toISOString(),
    done: facts.solved_at ? (before?.done ?? now.toISOString()) : null,
  };
  if (stands) {
    const total = from === null ? passed : passed + between(hours, new Date(from), now);
    const missed = before?.missed ?? null;
    const flags = { due: null, warn: null, warned: before?.warned ?? false, missed };
    return { ...own, ...flags, passed_ms: total, running: null };
  }
  const start = from === null ? now : new Date(from);
  const times = timed(counting, start, ms - passed, before);
  // Targets that were missed before a pause were due then.
  const late =
    before?.missed && passed >= ms ? { ...times, due: before.missed, missed: before.missed } : times;
  return { ...own, ...late, passed_ms: passed, running: start.toISOString() };
}

/** Marks targets that have become due by now, or were met only after that. */
function report(target: SlaTarget, one: Promised, before: Promised | undefined, now: Date): SlaEvent[] {
  // A pause or an answer before the clock has looked doesn't hide that its time was over.
  const due = one.due ?? (before?.since === one.since ? before.due : null);
  if (due === null || one.missed) return [];
  if (new Date(due) <= now && !(before?.done && one.done)) {
    one.missed = due;
    one.warned = true;
    return [{ kind: 'breached', target, due: new Date(due) }];
  }
  if (one.done || one.due === null || one.warned || !isPast(one.warn, now)) return [];
  one.warned = true;
  return [{ kind: 'warning', target, due: new Date(due) }];
}

const eventTime = ({ due, warn, warned, missed }: Promised): string | null =>
  missed ? null : warned ? due : (warn ?? due);

const earliest = (times: (string | null)[]): Date | null => {
  const [first] = times.filter((time) => time !== null).toSorted();
  return first === undefined ? null : new Date(first);
};

/** Whether somebody may have been notified of a target that is still due: it was warned about, or is late. */
export const isUrgent = (state: SlaState | null): boolean =>
  SLA_TARGETS.some((target) => state?.[target]?.warned && state[target].done === null);

/**
 * The SLA state of a ticket or chat after a change, or when the clock looks at it, and what must be reported. Without a
 * policy, and if it was solved before one applied, it has none.
 */
export function slaAfter(
  before: SlaState | null,
  applying: Applying | undefined,
  facts: SlaFacts,
  now: Date,
): SlaResult {
  const isOver = facts.solved_at !== null;
  if (!applying || (isOver && !before)) return { columns: NONE, events: [], isSettled: isUrgent(before) };
  const counting = { ...applying, facts, now };
  const { id, name } = applying.policy;
  const first = firstResponse(counting, before?.first_response);
  const last = resolution(counting, before?.resolution);
  const state: SlaState = {
    policy: { id, name },
    ...(first && { first_response: { ...first } }),
    ...nextResponse(counting, before ?? {}),
    ...(last && { resolution: { ...last } }),
  };
  const events = SLA_TARGETS.flatMap((target) => {
    const one = state[target];
    return one ? report(target, one, before?.[target], now) : [];
  });
  const open = SLA_TARGETS.flatMap((target) => state[target] ?? []).filter(({ done }) => done === null);
  const running = isOver ? [] : open;
  return {
    columns: {
      sla: state,
      sla_due_at: earliest(running.map(({ due }) => due)),
      sla_event_at: earliest(running.map(eventTime)),
    },
    events,
    isSettled: isUrgent(before) && (isOver || !isUrgent(state)),
  };
}
