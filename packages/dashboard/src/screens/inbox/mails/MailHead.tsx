import type { MailPerson, TicketMailEntry } from '@foyer/protocol';
import { ShieldCheck, ShieldQuestion } from 'lucide-react';
import { Tip } from '../../../ui/Tip.tsx';
import { peopleText } from './people.ts';
import { t } from './t.ts';
import { type MailOf, useMail } from './use-mail.ts';

/** Above a message's text: who it is from and to, and whether the sender is proven. */
export function MailHead(of: MailOf) {
  const mail = useMail(of);
  if (!mail) return null;
  const { from, to, cc, bcc, is_outgoing, authentication } = mail;
  return (
    <div className="mb-2 space-y-0.5 border-b border-dashed pb-2 text-soft text-xs">
      {from && !is_outgoing ? <People label={t('from')} people={[from]} /> : null}
      <People label={t('to')} people={to} />
      <People label={t('cc')} people={cc} />
      <People label={t('bcc')} people={bcc} />
      {authentication && !is_outgoing ? <Proof {...authentication} /> : null}
    </div>
  );
}

function People({ label, people }: { label: string; people: readonly MailPerson[] }) {
  if (people.length === 0) return null;
  return (
    <p className="wrap-anywhere">
      <span className="text-faint">{label}</span> <bdi>{peopleText(people)}</bdi>
    </p>
  );
}

function Proof({ aligned, spf, dkim, dmarc }: NonNullable<TicketMailEntry['authentication']>) {
  const Icon = aligned ? ShieldCheck : ShieldQuestion;
  return (
    <Tip text={t(aligned ? 'verified_why' : 'not_verified_why', { spf, dkim, dmarc })}>
      <p className="inline-flex items-center gap-1">
        <Icon aria-hidden className="size-3.5" />
        {t(aligned ? 'verified' : 'not_verified')}
      </p>
    </Tip>
  );
}
