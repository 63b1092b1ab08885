import { Popover } from '@base-ui/react/popover';
import type { Notification } from '@foyer/protocol';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import {
  AtSign,
  Bell as BellIcon,
  BellOff,
  MailWarning,
  MessageCircle,
  MessagesSquare,
  Settings,
  Ticket,
  Timer,
  UsersRound,
  X,
} from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api.ts';
import { notificationsQuery } from '../../queries.ts';
import { tCommon } from '../../t-common.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { cx } from '../../ui/classes.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Empty, ListBones } from '../../ui/States.tsx';
import { Ago } from '../../ui/Time.tsx';
import { toast } from '../../ui/toasts/toast-store.ts';
import { sentenceOf } from './sentence.ts';
import { t } from './t.ts';

const COUNTED_MAX = 99;
/** On a phone the panel covers its own button. */
const BUTTON_PX = 44;

const ICONS = {
  chat_waiting: MessagesSquare,
  chat_assigned: MessagesSquare,
  chat_message: MessageCircle,
  ticket_assigned: Ticket,
  ticket_team: UsersRound,
  ticket_reply: Ticket,
  reply_failed: MailWarning,
  sla_warning: Timer,
  sla_breached: Timer,
  mention: AtSign,
  mailbox_failing: MailWarning,
} as const;

interface BellProps {
  /** In the desk's column: with a label if there is room. Otherwise a button in a row. */
  wide?: boolean;
}

/** The agent's notifications, new and seen. */
export function Bell({ wide = false }: BellProps) {
  const [open, setOpen] = useState(false);
  const unseen = useQuery(notificationsQuery).data?.unseen ?? 0;
  const label =
    unseen > COUNTED_MAX
      ? t('bell_unseen_many', { most: COUNTED_MAX })
      : unseen > 0
        ? t('bell_unseen', { count: unseen })
        : t('bell');
  return (
    <Popover.Root open={open} onOpenChange={setOpen} modal={!wide}>
      <Popover.Trigger
        aria-label={label}
        title={label}
        className={cx(
          'relative flex h-9 items-center rounded-lg text-soft hover:bg-pressed hover:text-text',
          wide ? 'w-full gap-3 px-2.5 max-xl:justify-center' : 'w-9 shrink-0 justify-center max-md:size-11',
        )}
      >
        <BellIcon aria-hidden className="size-[18px] shrink-0 max-md:size-5" />
        {wide ? (
          <span aria-hidden className="truncate max-xl:hidden">
            {t('bell')}
          </span>
        ) : null}{' '}
        {unseen > 0 ? (
          <span
            aria-hidden
            className={cx(
              'tabular rounded-md bg-accent px-1.5 font-semibold text-on-accent text-xs',
              wide
                ? 'max-xl:absolute max-xl:-end-1 max-xl:-top-1.5 max-xl:px-1 xl:-me-1.5 xl:ms-auto'
                : 'absolute -end-1 -top-0.5',
            )}
          >
            {unseen > COUNTED_MAX ? `${COUNTED_MAX}+` : unseen}
          </span>
        ) : null}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner
          side={wide ? 'right' : 'bottom'}
          align="start"
          sideOffset={wide ? 8 : -BUTTON_PX}
          collisionPadding={8}
          className="z-50"
        >
          <Popover.Popup
            aria-label={t('bell')}
            className="appear flex max-h-[min(560px,var(--available-height))] w-[min(400px,calc(100vw-16px))] flex-col overflow-hidden rounded-xl bg-raised shadow-float outline-none"
          >
            <Panel unseen={unseen} closes={!wide} onClose={() => setOpen(false)} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

interface PanelProps {
  unseen: number;
  /** Nothing beside it can be clicked to close it. */
  closes: boolean;
  onClose: () => void;
}

function Panel({ unseen, closes, onClose }: PanelProps) {
  const navigate = useNavigate();
  const see = useMutation({
    mutationFn: () => call('notifications.see', {}),
    onError: (failure) => toast.error(t('see_failed'), failure),
  });
  const follow = ({ id, session_id, ticket_id }: Notification): void => {
    onClose();
    call('notifications.see', { ids: [id] }).catch(() => undefined);
    if (session_id !== null) void navigate({ to: '/inbox/$sessionId', params: { sessionId: session_id } });
    else if (ticket_id === null) void navigate({ to: '/settings/mailboxes' });
    else void navigate({ to: '/inbox/tickets/$ticketId', params: { ticketId: String(ticket_id) } });
  };
  return (
    <>
      <div className="flex items-center gap-2 border-b py-2 ps-4 pe-2">
        <h2 className="flex-1 font-semibold">{t('bell')}</h2>
        {unseen > 0 ? (
          <Button small look="quiet" onClick={() => see.mutate()}>
            {t('see_all')}
          </Button>
        ) : null}
        <IconButton
          label={t('to_settings')}
          onClick={() => {
            onClose();
            void navigate({ to: '/settings/notifications' });
          }}
        >
          <Settings aria-hidden className="size-4" />
        </IconButton>
        {closes ? (
          <IconButton label={tCommon('close')} onClick={onClose}>
            <X aria-hidden className="size-4" />
          </IconButton>
        ) : null}
      </div>
      <div className="scroll-y min-h-0 flex-1">
        <List onFollow={follow} />
      </div>
    </>
  );
}

function List({ onFollow }: { onFollow: (notification: Notification) => void }) {
  const { data, error, refetch } = useQuery(notificationsQuery);
  return error && !data ? (
    <div className="p-4">
      <ErrorNote error={error} title={t('list_failed')} onRetry={() => void refetch()} />
    </div>
  ) : !data ? (
    <ListBones rows={4} />
  ) : data.notifications.length === 0 ? (
    <Empty icon={<BellOff />} title={t('none')}>
      {t('none_hint')}
    </Empty>
  ) : (
    <ul>
      {data.notifications.map((one) => (
        <li key={one.id}>
          <Row notification={one} onFollow={() => onFollow(one)} />
        </li>
      ))}
    </ul>
  );
}

function Row({ notification, onFollow }: { notification: Notification; onFollow: () => void }) {
  const { kind, text, happened_utc, seen_utc } = notification;
  const Icon = ICONS[kind];
  const isNew = seen_utc === null;
  return (
    <button
      type="button"
      onClick={onFollow}
      className="flex w-full items-start gap-3 px-4 py-2.5 text-start hover:bg-hover focus-visible:-outline-offset-2"
    >
      <Icon aria-hidden className={cx('mt-0.5 size-4 shrink-0', isNew ? 'text-accent-text' : 'text-faint')} />
      <span className="min-w-0 flex-1">
        <span dir="auto" className={cx('block wrap-anywhere', isNew ? 'font-medium' : 'text-soft')}>
          {sentenceOf(notification)}
        </span>
        {text ? (
          <span dir="auto" className="block truncate text-soft">
            {text}
          </span>
        ) : null}
        <Ago words utc={happened_utc} className="text-faint text-xs" />
      </span>
      {isNew ? (
        <span className="mt-1.5 size-2 shrink-0 rounded-full bg-accent forced-color-adjust-none">
          <span className="sr-only">{t('new')}</span>
        </span>
      ) : null}
    </button>
  );
}
