import type { TicketDetail } from '@foyer/protocol';
import { SUBJECT_MAX } from '@foyer/protocol/values/bounds';
import { type KeyboardEvent, useState } from 'react';
import { t as tInbox } from '../t.ts';
import { t } from './t.ts';
import { useTicketChange } from './ticket-actions.ts';

/** The whole subject, edited in place: Enter saves it, Esc or an empty text cancels. */
export function Subject({ ticket }: { ticket: TicketDetail }) {
  const [text, setText] = useState(ticket.subject);
  const change = useTicketChange(ticket);
  const keep = (written: string): void => {
    const subject = written.replace(/\s+/g, ' ').trim();
    if (subject === '') setText(ticket.subject);
    else if (subject !== ticket.subject) change.mutate({ change: { subject }, done: t('subject_changed') });
  };
  const press = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
    event.preventDefault();
    const box = event.currentTarget;
    // Losing the focus saves the text, so Escape restores it first.
    if (event.key === 'Escape') box.value = ticket.subject;
    setText(box.value);
    box.blur();
  };
  return (
    <>
      <h2 className="sr-only">{ticket.subject}</h2>
      <textarea
        aria-label={tInbox('subject')}
        dir="auto"
        rows={1}
        maxLength={SUBJECT_MAX}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={press}
        onBlur={(event) => keep(event.target.value)}
        className="field-sizing-content -ms-1.5 scroll-y wrap-anywhere block max-h-30 w-full resize-none rounded-md bg-transparent px-1.5 py-0.5 font-semibold hover:bg-hover focus-visible:bg-field"
      />
    </>
  );
}
