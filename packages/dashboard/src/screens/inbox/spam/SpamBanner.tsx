import type { Session, SpamMark, Ticket } from '@foyer/protocol';
import { OctagonAlert } from 'lucide-react';
import { useMay } from '../../../desk/DeskContext.tsx';
import { agoInWords, exact } from '../../../times.ts';
import { Button } from '../../../ui/Button.tsx';
import { useNow } from '../../../ui/Time.tsx';
import { BlockSender } from './BlockSender.tsx';
import { t } from './t.ts';
import { type Markable, useMarkableChat, useMarkableTicket, useSpam } from './use-spam.ts';

/** Below the header of a chat that is spam. */
export const SpamChat = ({ session }: { session: Session }) => <SpamBanner of={useMarkableChat(session)} />;

/** Below the header of a ticket that is spam. */
export const SpamTicket = ({ ticket }: { ticket: Ticket }) => <SpamBanner of={useMarkableTicket(ticket)} />;

function words({ by, reason, marked_utc }: SpamMark, nowMs: number): string {
  const when = agoInWords(marked_utc, nowMs);
  if (reason === 'phrase') return t('marked_by_phrase', { when });
  if (reason === 'blocked') return t('marked_by_block', { when });
  return by ? t('marked_by', { name: by.name, when }) : t('marked_by_token', { when });
}

/** Who marked it and when, with a button to undo it. */
function SpamBanner({ of }: { of: Markable }) {
  const spam = useSpam(of);
  const mayAnswer = useMay('answer');
  const mayBlock = useMay(of.sender && 'key' in of.sender ? 'people' : 'answer');
  const now = useNow();
  if (of.mark === null) return null;
  return (
    <div className="flex min-h-10 shrink-0 flex-wrap items-center justify-end gap-2 border-b bg-warn-ground py-1 ps-4 pe-3">
      <OctagonAlert aria-hidden className="size-4 shrink-0 text-warn-text" />
      <p className="min-w-0 flex-1 truncate max-md:basis-3/4" title={exact(of.mark.marked_utc)}>
        {words(of.mark, now)}
      </p>
      {of.sender && mayBlock ? <BlockSender key={JSON.stringify(of.sender)} sender={of.sender} /> : null}
      {mayAnswer ? (
        <Button small busy={spam.isPending} onClick={() => spam.mutate(false)}>
          {t('unmark')}
        </Button>
      ) : null}
    </div>
  );
}
