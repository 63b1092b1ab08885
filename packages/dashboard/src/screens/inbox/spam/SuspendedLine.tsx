import { SUSPENDED_COUNTED_MAX } from '@foyer/protocol/values/bounds';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowRight, MailWarning } from 'lucide-react';
import { suspendedQuery } from '../../../queries.ts';
import { t } from './t.ts';

/** Above the queue Spam: emails that were held back before they became tickets. */
export function SuspendedLine() {
  const waiting = useQuery(suspendedQuery).data?.suspended ?? 0;
  if (waiting === 0) return null;
  return (
    <Link
      to="/settings/mail-log"
      search={{ view: 'suspended' }}
      className="flex min-h-10 items-center gap-2 border-b bg-hover px-4 text-soft -outline-offset-2 hover:bg-pressed hover:text-text max-md:min-h-11"
    >
      <MailWarning aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 flex-1">
        {t('suspended', { count: Math.min(waiting, SUSPENDED_COUNTED_MAX) })}
      </span>
      <ArrowRight aria-hidden className="size-4 shrink-0 rtl:rotate-180" />
    </Link>
  );
}
