import type { ProactiveMessage } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Megaphone, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { call } from '../../../api.ts';
import { useMay } from '../../../desk/DeskContext.tsx';
import { buttonLook } from '../../../ui/Button.tsx';
import { cx, LINE } from '../../../ui/classes.ts';
import { Page } from '../../../ui/Page.tsx';
import { Empty } from '../../../ui/States.tsx';
import { Waiting } from '../../../ui/Waiting.tsx';
import { AdminOnly } from '../AdminOnly.tsx';
import { OrderedRows } from '../OrderedRows.tsx';
import { proactiveQuery } from './proactive-queries.ts';
import { t } from './t.ts';

const NewMessage = () => (
  <Link to="/settings/proactive/$id" params={{ id: 'new' }} className={buttonLook('primary')}>
    <Plus aria-hidden className="size-4" />
    {t('new')}
  </Link>
);

/** The site's proactive messages in the order in which they are tried, with their counts. */
export function ProactiveSettings(): ReactNode {
  const admin = useMay('workflow');
  const { data, error, refetch } = useQuery(proactiveQuery);
  const messages = data?.items ?? [];
  return (
    <Page
      place="settings proactive"
      title={t('title')}
      intro={t('intro')}
      actions={admin && messages.length > 0 ? <NewMessage /> : null}
    >
      {!data ? (
        <Waiting error={error} retry={refetch} failed={t('failed')} rows={3} />
      ) : (
        <AdminOnly may="workflow">
          {messages.length === 0 ? (
            <Empty icon={<Megaphone />} title={t('none')} action={admin ? <NewMessage /> : null}>
              {t('none_hint')}
            </Empty>
          ) : (
            <MessageRows messages={messages} />
          )}
        </AdminOnly>
      )}
    </Page>
  );
}

function MessageRows({ messages }: { messages: readonly ProactiveMessage[] }) {
  const admin = useMay('workflow');
  return (
    <OrderedRows
      records={messages}
      label={t('title')}
      mayMove={admin}
      queryKey={proactiveQuery.queryKey}
      write={(place) => call('proactive_messages.update', place)}
      words={{
        notMoved: () => t('not_moved'),
        moved: (where) => t('moved', where),
        up: (name) => t('up', { name }),
        down: (name) => t('down', { name }),
      }}
    >
      {(message) => <MessageLink message={message} />}
    </OrderedRows>
  );
}

function MessageLink({ message }: { message: ProactiveMessage }) {
  const { id, name, enabled, pages, seen, opened, answered } = message;
  return (
    <Link
      to="/settings/proactive/$id"
      params={{ id: String(id) }}
      className="-outline-offset-2 block min-h-14 min-w-0 flex-1 px-4 py-2"
    >
      <span className={cx(LINE, 'block font-medium')}>
        <bdi>{name}</bdi>
      </span>
      <span className="block truncate text-soft text-xs" dir="auto">
        {t(enabled ? 'on' : 'off')} · {pages.join(', ') || t('every_page')}
      </span>
      <span className="tabular block truncate text-soft text-xs">
        {t('counts', { seen, opened, answered })}
      </span>
    </Link>
  );
}
