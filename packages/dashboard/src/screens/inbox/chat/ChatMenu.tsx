import type { Session } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import {
  AlarmClock,
  AlarmClockOff,
  BookPlus,
  Bot,
  CircleDot,
  Link2,
  NotebookPen,
  OctagonAlert,
  Ticket,
  Undo2,
  UserRoundPlus,
} from 'lucide-react';
import { type ComponentProps, Suspense, useState } from 'react';
import { call } from '../../../api.ts';
import { openPalette } from '../../../commands/ask.ts';
import { type Choice, COMMANDS, useCommands } from '../../../commands/commands.ts';
import { useDesk, useMe } from '../../../desk/DeskContext.tsx';
import { useSeenPresence } from '../../../desk/presence.ts';
import { lazyPart } from '../../../lazy-part.ts';
import { activeTeams, agentsQuery, tagsQuery, teamsQuery } from '../../../queries.ts';
import { Menu } from '../../../ui/Menu.tsx';
import { agentChoices, tagHandler, teamChoices } from '../command-choices.ts';
import { copyLink } from '../copy-link.ts';
import { useMarkUnread } from '../mark-unread.ts';
import { useSnoozableChat, useSnooze } from '../snooze/use-snooze.ts';
import { useMarkableChat, useSpamCommand } from '../spam/use-spam.ts';
import { t } from '../t.ts';
import type { Receiver } from './AssignChat.tsx';
import {
  type Hold,
  toldFailed,
  useDraftArticle,
  useGiveBack,
  useHold,
  useSetTags,
  useTicketOf,
  useTransfer,
} from './session-actions.ts';

const AssignChat = lazyPart(() => import('./AssignChat.tsx'), 'AssignChat');
const SummaryDialog = lazyPart(() => import('./SummaryDialog.tsx'), 'SummaryDialog');

/** What both the menu and the commands do with a chat; undefined: not possible now. */
interface ChatActions {
  toQueue: (() => void) | undefined;
  giveBack: (() => void) | undefined;
  snooze: (() => void) | undefined;
  unsnooze: (() => void) | undefined;
  markUnread: (() => void) | undefined;
  spam: { label: string; run: () => void };
  summarise: () => void;
  draftArticle: () => void;
  openTicket: { label: string; run: () => void };
  copyLink: () => void;
}

function useChatActions(session: Session, summarise: () => void): ChatActions {
  const desk = useDesk();
  const hold = useHold(session);
  const transfer = useTransfer(session);
  const giveBack = useGiveBack(session);
  const ticket = useTicketOf(session);
  const article = useDraftArticle(session);
  const snooze = useSnooze(useSnoozableChat(session));
  const spam = useSpamCommand(useMarkableChat(session));
  const { session_id, ticket_id } = session;
  const markUnread = useMarkUnread(async () => desk.take(await call('sessions.mark_unread', { session_id })));
  const isHeld = hold === 'mine' || hold === 'other';
  const isOurs = hold === 'mine' || hold === 'waiting';
  const isSnoozed = session.snoozed_until_utc !== null;
  return {
    toQueue: isHeld ? () => transfer.mutate({ to: null, done: t('unassigned') }, toldFailed) : undefined,
    giveBack: isOurs ? () => giveBack.mutate() : undefined,
    snooze: isHeld || isOurs ? () => openPalette('snooze') : undefined,
    unsnooze: isSnoozed ? () => snooze.mutate(null) : undefined,
    // A colleague's chat is theirs to read.
    markUnread: hold === 'other' ? undefined : markUnread,
    spam,
    summarise,
    draftArticle: () => article.mutate(),
    openTicket: {
      label: ticket_id ? t('open_ticket', { id: String(ticket_id) }) : t('create_ticket'),
      run: () => ticket.mutate(),
    },
    copyLink: () => void copyLink(session_id),
  };
}

/** The same by key and from the palette, with the agents to assign to and the tags. */
function useChatCommands(session: Session, actions: ChatActions, onAssign: (to: Receiver) => void): void {
  const { agent: me } = useMe();
  const hold = useHold(session);
  const seenOf = useSeenPresence();
  const transfer = useTransfer(session);
  const setTags = useSetTags(session);
  const agents = useQuery(agentsQuery).data?.agents ?? [];
  const allTags = useQuery(tagsQuery).data?.items ?? [];
  const teams = activeTeams(useQuery(teamsQuery).data);
  const removeTeam = (): void =>
    transfer.mutate({ to: session.agent?.id ?? null, team: null, done: t('team_gone') }, toldFailed);
  // A chat of the bot can't have a team before it is assigned or waits for an agent.
  const ofTeams = (): Choice[] =>
    hold === 'bot'
      ? []
      : teamChoices(teams, session.team?.id, (team) => (team ? onAssign({ team }) : removeTeam())).map(
          (choice) => (choice.key === 'no team' ? choice : { ...choice, opensField: true }),
        );
  useCommands({
    assign:
      hold === 'closed'
        ? undefined
        : {
            label: t('assign_to'),
            choices: () => [
              ...agentChoices({
                agents: agents.filter(({ id }) => id !== session.agent?.id),
                seenOf,
                myId: me.id,
                onChoose: (id, name) => {
                  if (id === null || id === me.id)
                    transfer.mutate({ to: id, done: t('assigned_to_me') }, toldFailed);
                  else onAssign({ agent: { id, name } });
                },
              }).map((choice) => (choice.key === String(me.id) ? choice : { ...choice, opensField: true })),
              ...ofTeams(),
            ],
          },
    mark_unread: actions.markUnread,
    make_ticket: actions.openTicket,
    to_queue: actions.toQueue,
    give_back: actions.giveBack,
    summarise: actions.summarise,
    draft_article: actions.draftArticle,
    copy_link: actions.copyLink,
    tags: tagHandler(allTags, session.tags, (tags) => setTags.mutate(tags)),
  });
}

const spamItem = ({ spam }: ChatActions) => ({
  label: spam.label,
  icon: <OctagonAlert aria-hidden />,
  shortcut: COMMANDS.spam.keys,
  onSelect: spam.run,
});

const itemsOf = (hold: Hold, actions: ChatActions): ComponentProps<typeof Menu>['items'] => [
  hold !== 'closed' && {
    label: t('assign'),
    icon: <UserRoundPlus aria-hidden />,
    shortcut: 't',
    onSelect: () => openPalette('assign'),
  },
  actions.snooze && {
    label: t('snooze'),
    icon: <AlarmClock aria-hidden />,
    shortcut: COMMANDS.snooze.keys,
    onSelect: actions.snooze,
  },
  actions.unsnooze && {
    label: t('unsnooze'),
    icon: <AlarmClockOff aria-hidden />,
    onSelect: actions.unsnooze,
  },
  actions.toQueue && {
    label: t('unassign'),
    icon: <Undo2 aria-hidden />,
    onSelect: actions.toQueue,
  },
  actions.giveBack && {
    label: t('return_to_bot'),
    icon: <Bot aria-hidden />,
    onSelect: actions.giveBack,
  },
  {
    label: t('summarise'),
    icon: <NotebookPen aria-hidden />,
    onSelect: actions.summarise,
  },
  {
    label: t('draft_article'),
    icon: <BookPlus aria-hidden />,
    onSelect: actions.draftArticle,
  },
  actions.markUnread && {
    label: t('mark_unread'),
    icon: <CircleDot aria-hidden />,
    shortcut: COMMANDS.mark_unread.keys,
    onSelect: actions.markUnread,
  },
  {
    label: actions.openTicket.label,
    icon: <Ticket aria-hidden />,
    shortcut: 'i',
    onSelect: actions.openTicket.run,
  },
  spamItem(actions),
  {
    label: t('copy_link'),
    icon: <Link2 aria-hidden />,
    shortcut: COMMANDS.copy_link.keys,
    onSelect: actions.copyLink,
  },
];

/** A chat's less frequent actions. */
export function ChatMenu({ session }: { session: Session }) {
  const hold = useHold(session);
  const [summarising, setSummarising] = useState(false);
  const [assigning, setAssigning] = useState<Receiver | null>(null);
  const actions = useChatActions(session, () => setSummarising(true));
  useChatCommands(session, actions, setAssigning);
  return (
    <>
      <Menu label={t('more_chat')} items={itemsOf(hold, actions)} />
      {summarising ? (
        <Suspense>
          <SummaryDialog session={session} onClose={() => setSummarising(false)} />
        </Suspense>
      ) : null}
      {assigning ? (
        <Suspense>
          <AssignChat session={session} to={assigning} onClose={() => setAssigning(null)} />
        </Suspense>
      ) : null}
    </>
  );
}
