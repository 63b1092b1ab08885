import type { MailboxRecord } from '@foyer/protocol';
import { Badge } from '../../../ui/States.tsx';
import { Ago } from '../../../ui/Time.tsx';
import { problemSaid } from './problem-words.ts';
import { t } from './t.ts';

interface MailboxProps {
  mailbox: MailboxRecord;
}

/** Whether it is read, in one word. */
export function MailboxBadge({ mailbox }: MailboxProps) {
  const { route, enabled, failing_since_utc, checked_utc, sign_in, signed_in_utc } = mailbox;
  if (!enabled) return <Badge tone="warn">{t('paused')}</Badge>;
  if (failing_since_utc) return <Badge tone="danger">{t('failing')}</Badge>;
  if (sign_in !== 'password' && !signed_in_utc) return <Badge tone="warn">{t('not_signed_in')}</Badge>;
  if (route !== 'imap') return <Badge tone="good">{t('accepting')}</Badge>;
  return checked_utc ? <Badge tone="good">{t('reading')}</Badge> : <Badge>{t('connecting')}</Badge>;
}

/** When it last worked; or what is wrong with it, and since when. */
export function MailboxLine({ mailbox }: MailboxProps) {
  const { route, enabled, failing_since_utc, problem, checked_utc } = mailbox;
  const isFetched = route === 'imap';
  if (enabled && failing_since_utc && problem)
    return (
      <span className="wrap-anywhere line-clamp-2 text-danger-text text-xs">
        {problemSaid(problem)} {t.rich('failing_since', { when: <Ago words utc={failing_since_utc} /> })}
      </span>
    );
  return (
    <span className="block truncate text-soft text-xs">
      {checked_utc
        ? t.rich(isFetched ? 'checked' : 'received', { when: <Ago words utc={checked_utc} /> })
        : t(isFetched ? 'checked_never' : 'received_never')}
    </span>
  );
}
