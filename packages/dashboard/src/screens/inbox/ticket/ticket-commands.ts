import type { TicketDetail } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { call, callPage } from '../../../api.ts';
import { useAsked } from '../../../commands/ask.ts';
import { type Choice, useCommands } from '../../../commands/commands.ts';
import { useDesk, useMay, useMe } from '../../../desk/DeskContext.tsx';
import { useSeenPresence } from '../../../desk/presence.ts';
import { activeTeams, agentsQuery, tagsQuery, teamsQuery } from '../../../queries.ts';
import { tCommon } from '../../../t-common.ts';
import { agentChoices, priorityChoices, statusChoices, tagHandler, teamChoices } from '../command-choices.ts';
import { copyLink } from '../copy-link.ts';
import { useMarkUnread } from '../mark-unread.ts';
import { t as tInbox } from '../t.ts';
import { t } from './t.ts';
import { nextStatuses, useTicketFields } from './ticket-actions.ts';
import { statusWord } from './ticket-words.ts';

/** The newest of the same requester. Any other is found by number. */
const OTHERS_OFFERED = 50;

function mergeByNumber(text: string, ownId: number, onMerge: (id: number) => void): Choice | undefined {
  const id = Number(/^#?(\d{1,15})$/.exec(text.trim())?.[1] ?? 0);
  if (id === 0 || id === ownId) return undefined;
  return { key: 'number', label: tInbox('ticket_number', { id: String(id) }), run: () => onMerge(id) };
}

/** The requester's other tickets, into which the open one can be merged. Loaded each time the palette opens. */
function useMergeTargets({ id: ownId, status, requester: { key } }: TicketDetail) {
  const isAsked = useAsked() !== null;
  const { data = [], isLoading } = useQuery({
    queryKey: ['tickets', 'of', key],
    // The list has either the snoozed tickets or the others.
    queryFn: async ({ signal }) => {
      const of = { requester_key: key ?? '', limit: OTHERS_OFFERED };
      const pages = [false, true].map((snoozed) => callPage('tickets.list', { ...of, snoozed }, signal));
      return (await Promise.all(pages)).flatMap(({ items }) => items);
    },
    enabled: isAsked && key !== null && status !== 'closed',
    // The newest may have been created a moment ago.
    staleTime: 0,
  });
  return { targets: data.filter((one) => one.id !== ownId && one.status !== 'closed'), isLoading };
}

/** The open ticket's commands, besides those of its header and reply box. */
export function useTicketCommands(ticket: TicketDetail, onMerge: (intoId: number) => void): void {
  const { agent: me } = useMe();
  const desk = useDesk();
  const seenOf = useSeenPresence();
  const agents = useQuery(agentsQuery).data?.agents ?? [];
  const allTags = useQuery(tagsQuery).data?.items ?? [];
  const teams = activeTeams(useQuery(teamsQuery).data);
  const { setStatus, setPriority, assign, setTeam, setTags } = useTicketFields(ticket);
  const markUnread = useMarkUnread(async () =>
    desk.takeTicket(await call('tickets.mark_unread', { id: ticket.id })),
  );
  const statuses = nextStatuses(ticket.status);
  const merge = useMergeTargets(ticket);
  useCommands({ mark_unread: markUnread, copy_link: () => void copyLink(`tickets/${ticket.id}`) });
  const changes: Parameters<typeof useCommands>[0] = {
    join:
      ticket.assignee?.id === me.id
        ? undefined
        : { label: t('assign_me'), run: () => assign(me.id, me.name) },
    assign: {
      label: tInbox('assign_to'),
      choices: () => [
        ...agentChoices({
          agents,
          seenOf,
          myId: me.id,
          current: ticket.assignee?.id ?? null,
          nobody: tInbox('nobody'),
          onChoose: assign,
        }),
        ...teamChoices(teams, ticket.team?.id, setTeam),
      ],
    },
    status:
      statuses.length === 0
        ? undefined
        : { choices: () => statusChoices(statuses, ticket.status, setStatus) },
    priority: { choices: () => priorityChoices(ticket.priority, setPriority) },
    merge:
      ticket.status === 'closed'
        ? undefined
        : {
            choices: () =>
              merge.targets.map(({ id, subject, status }) => ({
                key: String(id),
                label: `#${id} ${subject}`,
                hint: statusWord(status),
                run: () => onMerge(id),
              })),
            none: merge.isLoading ? tCommon('loading') : t('merge_none'),
            read: (text) => mergeByNumber(text, ticket.id, onMerge),
          },
    tags: tagHandler(allTags, ticket.tags, (tags) => setTags(tags, t('tags_changed'))),
  };
  useCommands(useMay('answer') ? changes : {});
}
