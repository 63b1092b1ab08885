import { Dialog } from '@base-ui/react/dialog';
import type { Macro, MacroAction, Ticket } from '@foyer/protocol';
import { fillMacroText, type PlaceholderValues } from '@foyer/protocol/macro-text';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Command } from 'cmdk';
import { Search, Zap } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api.ts';
import { useDesk, useMe } from '../../desk/DeskContext.tsx';
import { formatList } from '../../language.ts';
import type { Tab } from '../../live/drafts.ts';
import { agentsQuery, macrosQuery } from '../../queries.ts';
import { Button } from '../../ui/Button.tsx';
import { complain, say } from '../../ui/toast-store.ts';
import { t } from './t.ts';
import { priorityWord, statusWord } from './ticket-words.ts';

type Values = Omit<PlaceholderValues, 'agent.name' | 'site.name'>;

interface MacroPickerProps {
  values: Values;
  /** Where all of a macro's actions can be done. */
  ticket: Ticket;
  onInsert: (text: string, tab: Tab) => void;
  onClose: () => void;
}

/** Finds a macro, shows what it would do here, and puts its words into the box or does all of it. */
export function MacroPicker({ values, ticket, onInsert, onClose }: MacroPickerProps) {
  const { agent, site } = useMe();
  const { data } = useQuery(macrosQuery);
  const [chosen, setChosen] = useState('');
  const macros = data?.items ?? [];
  const all: PlaceholderValues = { ...values, 'agent.name': agent.name, 'site.name': site.name };
  const macro = macros.find(({ id }) => String(id) === chosen);
  const desk = useDesk();
  const apply = useMutation({
    mutationFn: ({ id }: Macro) => call('macros.apply', { macro_id: id, ticket_id: ticket.id }),
    onSuccess: (changed, { name }) => {
      desk.takeTicket(changed);
      say(t('macro_applied', { name }));
      onClose();
    },
    onError: (error) => complain(t('macro_failed'), error),
  });
  const insert = (one: Macro): void => {
    const written = one.actions.find(isWriting);
    if (written) {
      onInsert(fillMacroText(written.body, all), written.type);
      onClose();
    } else apply.mutate(one);
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <Dialog.Popup
          aria-label={t('macros')}
          className="-translate-x-1/2 appear fixed top-[12vh] left-1/2 z-40 w-[calc(100vw-32px)] max-w-2xl overflow-hidden rounded-xl bg-raised shadow-float outline-none"
        >
          <Command label={t('macros')} loop value={chosen} onValueChange={setChosen}>
            <div className="flex items-center gap-3 border-b px-4">
              <Search aria-hidden className="size-4 shrink-0 text-soft" />
              <Command.Input
                autoFocus
                placeholder={t('macro_find')}
                className="h-12 w-full bg-transparent text-base outline-none"
              />
            </div>
            <div className="flex max-sm:flex-col">
              <Command.List className="scroll-y h-72 shrink-0 p-1 max-sm:h-40 sm:w-64 sm:border-e">
                <Command.Empty className="px-4 py-6 text-center text-soft">
                  {macros.length === 0 ? t('macros_none') : t('macro_not_found')}
                </Command.Empty>
                {macros.map((one) => (
                  <Command.Item
                    key={one.id}
                    value={String(one.id)}
                    keywords={[one.name]}
                    onSelect={() => insert(one)}
                    className="flex h-9 cursor-default items-center gap-2 rounded-lg px-3 data-[selected=true]:bg-hover"
                  >
                    <Zap aria-hidden className="size-4 shrink-0 text-soft" />
                    <span className="truncate">
                      <bdi>{one.name}</bdi>
                    </span>
                  </Command.Item>
                ))}
              </Command.List>
              <section aria-label={t('macro_does')} className="scroll-y h-72 min-w-0 flex-1 p-4 max-sm:h-56">
                {macro ? <Preview macro={macro} values={all} /> : null}
              </section>
            </div>
            {macro ? (
              <div className="flex flex-wrap justify-end gap-2 border-t px-4 py-3">
                {macro.actions.some(isWriting) ? (
                  <Button onClick={() => insert(macro)}>{t('macro_insert')}</Button>
                ) : null}
                <Button look="primary" busy={apply.isPending} onClick={() => apply.mutate(macro)}>
                  {t('macro_do')}
                </Button>
              </div>
            ) : null}
          </Command>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

type Writing = Extract<MacroAction, { body: string }>;
const isWriting = (action: MacroAction): action is Writing =>
  action.type === 'reply' || action.type === 'note';

function Preview({ macro, values }: { macro: Macro; values: PlaceholderValues }) {
  const agents = useQuery(agentsQuery).data?.agents ?? [];
  const nameOf = (id: number): string => agents.find((agent) => agent.id === id)?.name ?? t('macro_left');
  return (
    <ol className="space-y-3">
      {[...macro.actions.entries()].map(([at, action]) => (
        <li key={at}>
          {isWriting(action) ? (
            <>
              <p className="mb-1 text-soft text-xs">
                {action.type === 'reply' ? t('macro_replies') : t('macro_notes')}
              </p>
              <p
                dir="auto"
                className={
                  action.type === 'reply'
                    ? 'wrap-anywhere whitespace-pre-wrap rounded-lg bg-accent-ground px-3 py-2'
                    : 'wrap-anywhere whitespace-pre-wrap rounded-lg border border-note-line bg-note-ground px-3 py-2'
                }
              >
                {fillMacroText(action.body, values)}
              </p>
            </>
          ) : (
            <p>{actionWords(action, nameOf)}</p>
          )}
        </li>
      ))}
    </ol>
  );
}

function actionWords(action: Exclude<MacroAction, Writing>, nameOf: (id: number) => string): string {
  switch (action.type) {
    case 'set_status':
      return t('macro_status', { status: statusWord(action.status) });
    case 'set_priority':
      return t('macro_priority', { priority: priorityWord(action.priority) });
    case 'assign':
      return action.assignee_id === null
        ? t('macro_unassigns')
        : t('macro_assigns', { name: nameOf(action.assignee_id) });
    case 'add_tags':
      return t('macro_adds', { tags: formatList(action.tags) });
    case 'remove_tags':
      return t('macro_removes', { tags: formatList(action.tags) });
    case 'snooze':
      return t('macro_snoozes', { minutes: action.minutes });
  }
}
