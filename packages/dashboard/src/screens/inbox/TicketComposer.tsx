import type { Reply, Ticket, TicketStatus } from '@foyer/protocol';
import { useMutation } from '@tanstack/react-query';
import { Lock, SendHorizontal } from 'lucide-react';
import { type KeyboardEvent, lazy, Suspense, useRef, useState } from 'react';
import { call } from '../../api.ts';
import { useDesk } from '../../desk/DeskContext.tsx';
import { useShortcuts } from '../../desk/shortcuts.ts';
import type { Tab } from '../../live/drafts.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/classes.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { SelectField } from '../../ui/Field.tsx';
import { visitorName } from '../../words.ts';
import { WriteTabs } from './Composer.tsx';
import { t } from './t.ts';
import { nextStatuses } from './ticket-actions.ts';
import { STATUSES, statusWord } from './ticket-words.ts';
import { useDraft, withWords } from './use-draft.ts';

const MacroPicker = lazy(() => import('./MacroPicker.tsx').then((part) => ({ default: part.MacroPicker })));

interface TicketComposerProps {
  ticket: Ticket;
  /** The server has it. */
  onSent: (reply: Reply) => void;
}

/** Where an agent answers the requester, or leaves a note that only the team sees. */
export function TicketComposer({ ticket, onSent }: TicketComposerProps) {
  const { live } = useDesk();
  const [draft, change] = useDraft(`ticket-${ticket.id}`);
  const [status, setStatus] = useState<TicketStatus | ''>('');
  const [picking, setPicking] = useState(false);
  const box = useRef<HTMLTextAreaElement>(null);
  const isNote = draft.tab === 'note';
  const isClosed = ticket.status === 'closed';
  const text = draft[draft.tab];

  const choose = (tab: Tab): void => {
    change({ tab });
    requestAnimationFrame(() => box.current?.focus());
  };
  useShortcuts({ r: () => choose('reply'), n: () => choose('note'), m: () => setPicking(true) });

  const send = useMutation({
    mutationFn: () =>
      call('ticket_replies.create', {
        ticket_id: ticket.id,
        type: isNote ? 'note' : 'public',
        body: text.trim(),
        ...(status ? { status } : {}),
      }),
    onSuccess: (reply) => {
      change({ [draft.tab]: '' });
      setStatus('');
      onSent(reply);
      box.current?.focus();
    },
    onError: () => live.wake(),
  });
  const submit = (): void => {
    if (text.trim() !== '' && !send.isPending) send.mutate();
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') box.current?.blur();
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      submit();
    }
  };
  const type = (next: string): void => {
    if (next === '/' && text === '') setPicking(true);
    else change({ [draft.tab]: next });
  };
  const label = isNote ? t('note') : t('reply');
  return (
    <div className="shrink-0 px-4 pb-4 max-md:px-2 max-md:pb-[max(8px,env(safe-area-inset-bottom))] lg:px-6">
      {send.error ? (
        <ErrorNote
          error={send.error}
          title={isNote ? t('note_failed') : t('reply_failed')}
          className="mx-auto mb-2 max-w-3xl"
        />
      ) : null}
      <div
        className={cx(
          'mx-auto max-w-3xl rounded-xl border has-[textarea:focus-visible]:outline-2 has-[textarea:focus-visible]:-outline-offset-1',
          isNote
            ? 'border-note-line bg-note-ground outline-note-text'
            : 'border-line-strong bg-field outline-accent',
        )}
      >
        <WriteTabs tab={draft.tab} onChoose={choose} />
        {isClosed && !isNote ? (
          <p className="px-3.5 py-4 text-soft">
            {t('ticket_final', { name: visitorName(ticket.requester) })}
          </p>
        ) : (
          <div role="tabpanel" aria-label={label}>
            <textarea
              ref={box}
              aria-label={label}
              dir="auto"
              rows={3}
              placeholder={isNote ? t('write_team') : t('write_answer')}
              value={text}
              onChange={(event) => type(event.target.value)}
              onKeyDown={press}
              className="field-sizing-content block max-h-72 min-h-20 w-full resize-none bg-transparent px-3.5 py-2 outline-none max-md:text-[16px]"
            />
            <div className="flex min-h-11 flex-wrap items-center gap-2 pb-2 ps-2 pe-2">
              <Button small look="quiet" onClick={() => setPicking(true)} title={t('macros_m')}>
                {t('macros')}
              </Button>
              <span className="flex-1" />
              {isClosed ? null : (
                <SelectField
                  bare
                  label={t('status_after')}
                  frame="w-44 max-sm:w-40"
                  value={status}
                  onChange={(event) => setStatus(statusOf(event.target.value))}
                >
                  <option value="">{t('status_keep')}</option>
                  {nextStatuses(ticket.status)
                    .filter((next) => next !== ticket.status)
                    .map((next) => (
                      <option key={next} value={next}>
                        {statusWord(next)}
                      </option>
                    ))}
                </SelectField>
              )}
              <Button
                small
                look="primary"
                title={t('with_ctrl_enter', { action: t(isNote ? 'add_note' : 'send') })}
                disabled={text.trim() === ''}
                busy={send.isPending}
                onClick={submit}
                icon={
                  isNote ? (
                    <Lock aria-hidden className="size-4" />
                  ) : (
                    <SendHorizontal aria-hidden className="size-4" />
                  )
                }
              >
                {isNote ? t('add_note') : t('send')}
              </Button>
            </div>
          </div>
        )}
      </div>
      {picking ? (
        <Suspense>
          <MacroPicker
            values={{
              'visitor.name': ticket.requester.name,
              'visitor.email': ticket.requester.email,
              'ticket.id': ticket.id,
              'ticket.subject': ticket.subject,
            }}
            ticket={ticket}
            onInsert={(words, tab) => {
              change(withWords(draft, tab, words));
              requestAnimationFrame(() => box.current?.focus());
            }}
            onClose={() => setPicking(false)}
          />
        </Suspense>
      ) : null}
    </div>
  );
}

const statusOf = (value: string): TicketStatus | '' => STATUSES.find((status) => status === value) ?? '';
