import type { Agent, Tag, Team, TeamRef, TicketPriority, TicketStatus } from '@foyer/protocol';
import { TAG_NAME_MAX } from '@foyer/protocol/values/bounds';
import { TICKET_PRIORITIES } from '@foyer/protocol/values/wire-names';
import type { Choice, Handler } from '../../commands/commands.ts';
import { type SeenPresence, seenWord } from '../../desk/presence.ts';
import { momentOf } from '../../times.ts';
import { readSnooze, snoozeChoices } from './snooze/snooze-times.ts';
import { sameName } from './TagDot.tsx';
import { t } from './t.ts';
import { priorityWord, statusWord } from './ticket/ticket-words.ts';

// The same choices for commands on one conversation and on many.

const ORDER = { online: 0, away: 1, offline: 2 };

interface AgentsAsked {
  agents: readonly Agent[];
  seenOf: (id: number) => SeenPresence;
  myId: number;
  /** The current assignee; undefined if there isn't a single one. */
  current?: number | null | undefined;
  /** The label for unassigning, if that is possible. */
  nobody?: string;
  onChoose: (id: number | null, name: string) => void;
}

/** Agents, the available ones first. */
export function agentChoices({ agents, seenOf, myId, current, nobody, onChoose }: AgentsAsked): Choice[] {
  const people = agents
    .filter(({ can_answer }) => can_answer)
    .toSorted(
      (a, b) =>
        Number(b.id === myId) - Number(a.id === myId) ||
        ORDER[seenOf(a.id)] - ORDER[seenOf(b.id)] ||
        a.name.localeCompare(b.name),
    )
    .map(({ id, name }) => ({
      key: String(id),
      label: id === myId ? t('agent_me', { name }) : name,
      hint: seenWord(seenOf(id)),
      isCurrent: current === id,
      run: () => onChoose(id, name),
    }));
  if (nobody === undefined) return people;
  const none = { key: 'nobody', label: nobody, isCurrent: current === null, run: () => onChoose(null, '') };
  return [...people, none];
}

/** Teams, below the agents; `current` and no team, if there is a single conversation. */
export const teamChoices = (
  teams: readonly Team[],
  current: number | null | undefined,
  onChoose: (team: TeamRef | null) => void,
): Choice[] => [
  ...teams.map((team) => ({
    key: `team ${team.id}`,
    label: t('team_choice', { name: team.name }),
    isCurrent: current === team.id,
    run: () => onChoose(team),
  })),
  ...(current ? [{ key: 'no team', label: t('team_none'), run: () => onChoose(null) }] : []),
];

export const statusChoices = (
  statuses: readonly TicketStatus[],
  current: TicketStatus | undefined,
  onChoose: (status: TicketStatus) => void,
): Choice[] =>
  statuses.map((status) => ({
    key: status,
    label: statusWord(status),
    isCurrent: status === current,
    run: () => onChoose(status),
  }));

export const priorityChoices = (
  current: TicketPriority | undefined,
  onChoose: (priority: TicketPriority) => void,
): Choice[] =>
  TICKET_PRIORITIES.toReversed().map((priority) => ({
    key: priority,
    label: priorityWord(priority),
    isCurrent: priority === current,
    run: () => onChoose(priority),
  }));

/** The site's tags to add or remove, or a new one by name. */
export function tagHandler(
  all: readonly Tag[],
  tags: readonly string[],
  onChange: (tags: string[]) => void,
): Handler {
  const has = (name: string): boolean => tags.some((one) => sameName(one, name));
  const toggle = (name: string): void =>
    onChange(has(name) ? tags.filter((one) => !sameName(one, name)) : [...tags, name]);
  return {
    choices: () =>
      all.map(({ id, name }) => ({
        key: String(id),
        label: name,
        isCurrent: has(name),
        run: () => toggle(name),
      })),
    read: (text) => newTag(all, text, toggle),
  };
}

/** Undefined if the site has it: then it is among the choices. */
export function newTag(
  all: readonly Tag[],
  text: string,
  onChoose: (name: string) => void,
): Choice | undefined {
  const wanted = text.trim().slice(0, TAG_NAME_MAX);
  if (wanted === '' || all.some(({ name }) => sameName(name, wanted))) return undefined;
  return { key: 'new', label: t('tag_create', { wanted }), run: () => onChoose(wanted) };
}

/** Until when, as typed or from the usual choices. */
export const snoozeHandler = (onChoose: (until: Date | null) => void, isSnoozed: boolean): Handler => ({
  choices: () => [
    ...snoozeChoices(new Date()).map(({ label, until }) => ({
      key: until.toISOString(),
      label,
      hint: momentOf(until),
      run: () => onChoose(until),
    })),
    ...(isSnoozed ? [{ key: 'wake', label: t('unsnooze'), run: () => onChoose(null) }] : []),
  ],
  read: (text) => {
    const until = readSnooze(text, new Date());
    if (!until) return undefined;
    return { key: 'written', label: momentOf(until), run: () => onChoose(until) };
  },
});
