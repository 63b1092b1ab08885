import type { MailboxRecord } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Inbox, Lock, Plus } from 'lucide-react';
import { useMay } from '../../../desk/DeskContext.tsx';
import { buttonLook } from '../../../ui/Button.tsx';
import { Page, Rows } from '../../../ui/Page.tsx';
import { LinkRow } from '../../../ui/rows/LinkRow.tsx';
import { Callout, Empty } from '../../../ui/States.tsx';
import { Waiting } from '../../../ui/Waiting.tsx';
import { MailboxBadge, MailboxLine } from './MailboxState.tsx';
import { mailboxesQuery } from './mailbox-queries.ts';
import { t } from './t.ts';

const NewMailbox = () => (
  <Link to="/settings/mailboxes/new" className={buttonLook('primary')}>
    <Plus aria-hidden className="size-4" />
    {t('new')}
  </Link>
);

/** The addresses whose mail becomes tickets. */
export function MailboxSettings() {
  const admin = useMay('email');
  if (admin) return <Mailboxes />;
  return (
    <Page place="settings mailboxes" title={t('title')} intro={t('intro')}>
      <Callout icon={<Lock aria-hidden />}>{t('admins_only')}</Callout>
    </Page>
  );
}

function Mailboxes() {
  const { data, error, refetch } = useQuery(mailboxesQuery);
  const list = data?.items;
  return (
    <Page
      place="settings mailboxes"
      title={t('title')}
      intro={t('intro')}
      actions={list && list.length > 0 ? <NewMailbox /> : null}
    >
      {!list ? (
        <Waiting error={error} retry={refetch} failed={t('all_failed')} rows={2} />
      ) : list.length === 0 ? (
        <Empty icon={<Inbox />} title={t('empty')} action={<NewMailbox />}>
          {t('empty_hint')}
        </Empty>
      ) : (
        <Rows label={t('title')}>
          {list.map((mailbox) => (
            <Row key={mailbox.id} mailbox={mailbox} />
          ))}
        </Rows>
      )}
    </Page>
  );
}

function Row({ mailbox }: { mailbox: MailboxRecord }) {
  const { id, address, name, assignee, team } = mailbox;
  const about = [name, assignee ? t('assigned_to', { name: assignee.name }) : null, team?.name].filter(
    Boolean,
  );
  return (
    <li>
      <LinkRow to="/settings/mailboxes/$mailboxId" params={{ mailboxId: String(id) }}>
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium" dir="ltr">
            {address}
          </span>
          {about.length > 0 ? (
            <span className="block truncate text-soft text-xs">{about.join(' · ')}</span>
          ) : null}
          <MailboxLine mailbox={mailbox} />
        </span>
        <MailboxBadge mailbox={mailbox} />
      </LinkRow>
    </li>
  );
}
