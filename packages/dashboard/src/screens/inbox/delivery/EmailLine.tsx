import type { ChatEmail } from '@foyer/protocol';
import { Mail, MailWarning } from 'lucide-react';
import { exact } from '../../../times.ts';
import { cx } from '../../../ui/classes.ts';
import { t } from './t.ts';

function wordsOf({ state, address }: ChatEmail): string {
  switch (state) {
    case null:
      return t('email_received');
    case 'sent':
      return t('email_sent', { email: address });
    case 'queued':
      return t('email_queued', { email: address });
    default:
      return t(`reply_${state}`);
  }
}

/** Below a message: that it came by email, with what it quoted, or was sent by email, and what became of that. */
export function EmailLine({ email }: { email: ChatEmail }) {
  const { direction, address, state, error, quoted, attempts, created_utc } = email;
  const isOurs = direction === 'out';
  const isLost = state === 'refused' || state === 'failed' || state === 'bounced';
  const Icon = isLost || error !== null ? MailWarning : Mail;
  return (
    <div className={cx('mx-10 mt-1 text-soft text-xs', isOurs && 'text-end')}>
      <p
        className={cx(
          'wrap-anywhere inline-flex max-w-full items-center gap-1.5',
          isLost && 'text-danger-text',
        )}
        title={exact(created_utc)}
      >
        <Icon aria-hidden className="size-3.5 shrink-0" />
        <span className="min-w-0">
          <bdi>{wordsOf(email)}</bdi>
          {isLost ? <bdi className="block">{address}</bdi> : null}
        </span>
      </p>
      {error === null ? null : (
        <bdi dir="auto" className="wrap-anywhere block text-faint">
          {error}
        </bdi>
      )}
      {attempts.length > 1 ? <Attempts attempts={attempts} /> : null}
      {quoted ? (
        <details>
          <summary className="w-fit cursor-pointer py-1">{t('email_quoted')}</summary>
          <p
            className="wrap-anywhere max-h-96 overflow-y-auto whitespace-pre-wrap border-s-2 ps-3"
            dir="auto"
          >
            {quoted}
          </p>
        </details>
      ) : null}
    </div>
  );
}

function Attempts({ attempts }: Pick<ChatEmail, 'attempts'>) {
  return (
    <details>
      <summary className="ms-auto w-fit cursor-pointer py-1">{t('email_attempts')}</summary>
      <ol className="space-y-1">
        {attempts.map(({ attempted_utc, outcome, answer }) => (
          <li key={`${attempted_utc} ${outcome}`} className="wrap-anywhere">
            <span className="tabular">{exact(attempted_utc)}</span> · {t(`attempt_${outcome}`)}
            {answer ? (
              <>
                {': '}
                <bdi className="font-mono">{answer}</bdi>
              </>
            ) : null}
          </li>
        ))}
      </ol>
    </details>
  );
}
