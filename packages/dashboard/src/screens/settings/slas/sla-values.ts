import type { InputOf, SlaConditions, SlaKind, SlaPause, SlaPolicy, SlaTarget } from '@foyer/protocol';
import { SLA_TARGETS } from '@foyer/protocol/values/tickets/sla-names';
import { TICKET_PRIORITIES } from '@foyer/protocol/values/wire-names';
import { given, idOf, oneOf } from '../../../address-search.ts';

const HOUR_MIN = 60;

/** Minutes as people write them: `1 h 30 min`. */
export function durationText(minutes: number | null): string {
  if (minutes === null) return '';
  const [hours, rest] = [Math.floor(minutes / HOUR_MIN), minutes % HOUR_MIN];
  return [hours > 0 ? `${hours} h` : '', rest > 0 ? `${rest} min` : ''].filter(Boolean).join(' ');
}

const FORM = /^(?:(?<hours>\d{1,5}) ?(?:h|std\.?))?(?: ?(?<minutes>\d{1,6}) ?(?:m|min)?\.?)?$/i;

/** Minutes from what was typed, a number alone being minutes; null for nothing, undefined if it isn't a time. */
export function minutesOf(typed: string): number | null | undefined {
  const text = typed.trim();
  if (text === '') return null;
  const { hours = '0', minutes = '0' } = FORM.exec(text)?.groups ?? {};
  const total = Number(hours) * HOUR_MIN + Number(minutes);
  return total > 0 ? total : undefined;
}

type Cell = `${SlaTarget} ${(typeof TICKET_PRIORITIES)[number]}`;

export interface SlaValues {
  name: string;
  kinds: SlaKind[];
  priority: string;
  team: string;
  tag: string;
  segment: string;
  /** What was typed, by target and priority. */
  times: Partial<Record<Cell, string>>;
  hours: string;
  warn: string;
  pauses: SlaPause[];
}

export const cellOf = (target: SlaTarget, priority: (typeof TICKET_PRIORITIES)[number]): Cell =>
  `${target} ${priority}`;

export const NEW_POLICY: SlaValues = {
  name: '',
  kinds: ['tickets'],
  priority: '',
  team: '',
  tag: '',
  segment: '',
  times: {},
  hours: 'team',
  warn: durationText(30),
  pauses: ['pending', 'snoozed'],
};

export const valuesOf = (policy: SlaPolicy): SlaValues => ({
  name: policy.name,
  kinds: policy.applies_to,
  priority: policy.conditions.priority ?? '',
  team: String(policy.conditions.team_id ?? ''),
  tag: policy.conditions.tag ?? '',
  segment: String(policy.conditions.segment ?? ''),
  times: Object.fromEntries(
    SLA_TARGETS.flatMap((target) =>
      TICKET_PRIORITIES.map((priority) => [
        cellOf(target, priority),
        durationText(policy.targets[target][priority]),
      ]),
    ),
  ),
  hours: policy.hours,
  warn: durationText(policy.warn_minutes),
  pauses: policy.pauses,
});

/** Whether every time can be read and there is one at least. */
export function areTimesRight({ times, warn }: SlaValues): boolean {
  const read = Object.values(times).map((typed) => minutesOf(typed));
  return minutesOf(warn) !== undefined && !read.includes(undefined) && read.some((one) => one !== null);
}

/** The input of a save. */
export function inputOf(values: SlaValues): InputOf<'sla_policies.create'> {
  const { name, kinds, priority, team, tag, segment, times, hours, warn, pauses } = values;
  const targets = Object.fromEntries(
    SLA_TARGETS.map((target) => [
      target,
      Object.fromEntries(
        TICKET_PRIORITIES.map((one) => [one, minutesOf(times[cellOf(target, one)] ?? '') ?? null]),
      ),
    ]),
  );
  return {
    name,
    applies_to: kinds,
    conditions: given<SlaConditions>({
      priority: oneOf(priority, TICKET_PRIORITIES),
      team_id: team === 'none' ? 'none' : idOf(team),
      tag: tag || undefined,
      segment: idOf(segment),
    }),
    targets,
    hours: oneOf(hours, ['team', 'site', 'always'] as const) ?? 'team',
    warn_minutes: minutesOf(warn) ?? null,
    pauses,
  };
}
