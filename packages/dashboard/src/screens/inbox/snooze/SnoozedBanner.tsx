import type { Session, Ticket } from '@foyer/protocol';
import { AlarmClock } from 'lucide-react';
import { exact, momentOf } from '../../../times.ts';
import { Button } from '../../../ui/Button.tsx';
import { t as tInbox } from '../t.ts';
import { t } from './t.ts';
import { type Snoozable, useSnoozableChat, useSnoozableTicket, useSnooze } from './use-snooze.ts';

/** Below the header of a snoozed chat. */
export const SnoozedChat = ({ session }: { session: Session }) => (
  <SnoozedBanner of={useSnoozableChat(session)} />
);

/** Below the header of a snoozed ticket. */
export const SnoozedTicket = ({ ticket }: { ticket: Ticket }) => (
  <SnoozedBanner of={useSnoozableTicket(ticket)} />
);

/** When it returns, with a button to wake it now. */
function SnoozedBanner({ of }: { of: Snoozable }) {
  const snooze = useSnooze(of);
  if (of.until_utc === null) return null;
  return (
    <div className="flex min-h-10 shrink-0 items-center gap-2 border-b bg-hover py-1 ps-4 pe-3 text-soft">
      <AlarmClock aria-hidden className="size-4 shrink-0" />
      <p className="min-w-0 flex-1 truncate" title={exact(of.until_utc)}>
        {t('snoozed_until', { date: momentOf(new Date(of.until_utc)) })}
      </p>
      <Button small look="quiet" busy={snooze.isPending} onClick={() => snooze.mutate(null)}>
        {tInbox('unsnooze')}
      </Button>
    </div>
  );
}
