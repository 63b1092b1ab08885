import { Mail, MailWarning, MessageCircle } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from './t.ts';

interface MailLineProps {
  /** The address for emailed replies; null: none. */
  goesTo: string | null;
  sendsMail: boolean;
  /** Replies are sent to the open chat that the ticket was created from. */
  inChat?: boolean;
  /** The requester's name. */
  name: string;
  /** The alternatives if replies aren't emailed. */
  children?: ReactNode;
}

/** How a requester receives the team's replies. */
export function MailLine({ goesTo, sendsMail, inChat = false, name, children }: MailLineProps) {
  const Icon = goesTo !== null ? Mail : inChat ? MessageCircle : MailWarning;
  return (
    <div className="flex gap-2 text-soft text-xs">
      <Icon aria-hidden className="mt-2 size-4 shrink-0" />
      <div className="flex min-w-0 flex-wrap items-center gap-x-2">
        <p className="wrap-anywhere min-w-0 py-2">
          {goesTo !== null
            ? t('mail_goes_to', { email: goesTo })
            : t(inChat ? 'mail_in_chat' : sendsMail ? 'mail_no_address' : 'mail_not_set_up', { name })}
        </p>
        {goesTo === null ? children : null}
      </div>
    </div>
  );
}
