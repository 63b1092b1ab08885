import type { BulkChangeAction, BulkTarget, Macro, Tag, TicketSummary } from '@foyer/protocol';
import { MERGE_MAX } from '@foyer/protocol/values/bounds';
import { worksInChat } from '@foyer/protocol/values/macro-actions';
import { useQuery } from '@tanstack/react-query';
import { type Handler, useCommands } from '../../../commands/commands.ts';
import { useMe } from '../../../desk/DeskContext.tsx';
import { useSeenPresence } from '../../../desk/presence.ts';
import {
  activeTeams,
  agentsQuery,
  macrosQuery,
  mailStatusQuery,
  tagsQuery,
  teamsQuery,
} from '../../../queries.ts';
import { momentOf } from '../../../times.ts';
import { visitorName } from '../../../words.ts';
import { useSeenWords } from '../../visibility/visibility.ts';
import {
  agentChoices,
  newTag,
  priorityChoices,
  snoozeHandler,
  statusChoices,
  teamChoices,
} from '../command-choices.ts';
import type { InboxItem } from '../list/inbox-list.ts';
import { sameName } from '../TagDot.tsx';
import { nextStatuses } from '../ticket/ticket-actions.ts';
import { priorityWord, statusWord } from '../ticket/ticket-words.ts';
import { t } from './t.ts';

/** `words` is the sentence for this many changed records. */
export type RunBulk = (change: BulkChangeAction, words: (count: number) => string) => void;

interface Chosen {
  of: BulkTarget;
  /** The loaded ones among them. */
  items: readonly InboxItem[];
  count: number;
  isSpam: boolean;
  run: RunBulk;
}

/** One of them is the target of the merge. */
const MERGED_AT_ONCE = MERGE_MAX + 1;

/** The tickets among chats and tickets. */
export const ticketsIn = (items: readonly InboxItem[]): TicketSummary[] =>
  items.flatMap((item) => (item.kind === 'ticket' ? [item.ticket] : []));

const tagsOf = (item: InboxItem): readonly string[] =>
  item.kind === 'chat' ? item.session.tags : item.ticket.tags;

/** A tag that all of them have is removed, any other is added. */
function tagsHandler({ items, count, run }: Chosen, tags: readonly Tag[]): Handler {
  const allHave = (name: string): boolean =>
    items.every((item) => tagsOf(item).some((one) => sameName(one, name)));
  const retag = (name: string): void => {
    if (allHave(name))
      run({ action: 'remove_tags', tags: [name] }, (number) => t('untagged', { count: number, name }));
    else run({ action: 'add_tags', tags: [name] }, (number) => t('tagged', { count: number, name }));
  };
  return {
    label: t('do_tags', { count }),
    choices: () =>
      tags.map(({ id, name }) => ({
        key: String(id),
        label: name,
        isCurrent: allHave(name),
        run: () => retag(name),
      })),
    read: (text) => newTag(tags, text, retag),
  };
}

const snoozing = ({ count, run }: Chosen): Handler => ({
  ...snoozeHandler(
    (until) =>
      run({ action: 'snooze', until_utc: until?.toISOString() ?? null }, (number) =>
        until ? t('snoozed', { count: number, date: momentOf(until) }) : t('woken', { count: number }),
      ),
    true,
  ),
  label: t('do_snooze', { count }),
});

/**
 * @param sendsMail false: a macro's replies can only be read in the portal, which is said before and after
 * @param seenWords who sees a macro, if not everyone
 */
const macroHandler = (
  { count, run }: Chosen,
  macros: readonly Macro[],
  sendsMail: boolean,
  seenWords: (macro: Macro) => string | undefined,
): Handler => ({
  label: t('do_macro', { count }),
  choices: () =>
    macros.map((macro) => {
      const { id, name, actions } = macro;
      const isUnmailed = !sendsMail && actions.some(({ type }) => type === 'reply');
      const hint = isUnmailed ? t('macro_unmailed') : seenWords(macro);
      return {
        key: String(id),
        label: name,
        ...(hint === undefined ? {} : { hint }),
        run: () =>
          run({ action: 'apply_macro', macro_id: id }, (number) =>
            t(isUnmailed ? 'macro_applied_unmailed' : 'macro_applied', { count: number, name }),
          ),
      };
    }),
});

/** Marks all of them as spam, or all spam as not spam. */
const spamHandler = ({ count, isSpam, run }: Chosen): Handler => ({
  label: t(isSpam ? 'do_not_spam' : 'do_spam', { count }),
  run: () =>
    run({ action: 'set_spam', spam: !isSpam }, (number) =>
      t(isSpam ? 'not_spam' : 'spam', { count: number }),
    ),
});

/** Chats can't be merged, and only as many tickets at once as the server accepts. */
function mergeHandler({ of, items, count }: Chosen, onMerge: (intoId: number) => void): Handler | undefined {
  const merging = 'tickets' in of && of.sessions.length === 0 ? ticketsIn(items) : [];
  if (merging.length < 2 || merging.length > MERGED_AT_ONCE) return undefined;
  return {
    label: t('do_merge', { count }),
    choices: () =>
      merging
        .toSorted((a, b) => a.id - b.id)
        .map(({ id, subject, requester }) => ({
          key: String(id),
          label: t('merge_into', { id: String(id), subject }),
          hint: visitorName(requester),
          run: () => onMerge(id),
        })),
  };
}

/** Only tickets have these statuses and priorities. */
const fieldHandlers = ({ count, run }: Chosen): { status: Handler; priority: Handler } => ({
  status: {
    label: t('do_status', { count }),
    choices: () =>
      statusChoices(nextStatuses('open'), undefined, (status) =>
        run({ action: 'set_status', status }, (number) =>
          t('status_set', { count: number, status: statusWord(status) }),
        ),
      ),
  },
  priority: {
    label: t('do_priority', { count }),
    choices: () =>
      priorityChoices(undefined, (priority) =>
        run({ action: 'set_priority', priority }, (number) =>
          t('priority_set', { count: number, priority: priorityWord(priority) }),
        ),
      ),
  },
});

/** Assigns all of them to an agent or a team. */
function useAssign(): (chosen: Chosen) => Handler {
  const { agent: me } = useMe();
  const seenOf = useSeenPresence();
  const agents = useQuery(agentsQuery).data?.agents ?? [];
  const teams = activeTeams(useQuery(teamsQuery).data);
  return ({ count, run }) => ({
    label: t('do_assign', { count }),
    choices: () => [
      ...agentChoices({
        agents,
        seenOf,
        myId: me.id,
        nobody: t('nobody'),
        onChoose: (id, name) =>
          run({ action: 'assign', assignee_id: id }, (number) =>
            id === null ? t('unassigned', { count: number }) : t('assigned', { count: number, name }),
          ),
      }),
      ...teamChoices(teams, undefined, (team) => {
        if (team)
          run({ action: 'assign_team', team_id: team.id }, (number) =>
            t('team_set', { count: number, name: team.name }),
          );
      }),
    ],
  });
}

/** While rows are selected, commands apply to them, not to the open chat or ticket. */
export function useBulkCommands(
  chosen: Chosen,
  onDelete: (() => void) | undefined,
  onMerge: (intoId: number) => void,
): void {
  const { of, count, run } = chosen;
  const assign = useAssign();
  const tags = useQuery(tagsQuery).data?.items ?? [];
  const macros = useQuery(macrosQuery).data?.items ?? [];
  const seenWords = useSeenWords();
  const sendsMail = useQuery(mailStatusQuery).data?.sends_mail ?? true;
  const hasTickets = !('tickets' in of) || of.tickets.length > 0;
  useCommands(
    {
      assign: assign(chosen),
      tags: tagsHandler(chosen, tags),
      done: {
        label: t('do_finish', { count }),
        run: () => run({ action: 'finish' }, (number) => t('finished', { count: number })),
      },
      merge: mergeHandler(chosen, onMerge),
      snooze: snoozing(chosen),
      spam: spamHandler(chosen),
      macro: hasTickets
        ? macroHandler(chosen, macros, sendsMail, seenWords)
        : macroHandler(
            chosen,
            macros.filter(({ actions }) => actions.some(worksInChat)),
            true,
            seenWords,
          ),
      ...(hasTickets
        ? {
            ...fieldHandlers(chosen),
            delete: onDelete && { label: t('do_delete', { count }), run: onDelete },
          }
        : {}),
    },
    { isAbove: true },
  );
}
