import type { Macro, Session, Ticket } from '@foyer/protocol';
import { worksInChat } from '@foyer/protocol/values/macro-actions';
import { fillMacroText, type PlaceholderValues } from '@foyer/protocol/values/macro-text';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { Zap } from 'lucide-react';
import { useEffect, useState } from 'react';
import { call } from '../../../../api.ts';
import { useDesk, useMe } from '../../../../desk/DeskContext.tsx';
import type { Tab } from '../../../../live/kept-draft.ts';
import { macrosQuery } from '../../../../queries.ts';
import { Button } from '../../../../ui/Button.tsx';
import { BY_KEYBOARD } from '../../../../ui/by-keyboard.ts';
import { PickDialog } from '../../../../ui/dialogs/PickDialog.tsx';
import { toast } from '../../../../ui/toasts/toast-store.ts';
import { VisibilityMark } from '../../../visibility/VisibilityMark.tsx';
import { TicketMailLine } from '../../delivery/TicketMailLine.tsx';
import { t } from '../t.ts';
import { isWriting, MacroPreview } from './MacroPreview.tsx';

/** Agent and site are known everywhere. */
export type MacroValues = Omit<PlaceholderValues, 'agent.name' | 'site.name'>;

/** What a macro is applied to. Chats support only some of its actions. */
export type MacroTarget = { ticket: Ticket } | { session: Session };

interface MacroPickerProps {
  values: MacroValues;
  target: MacroTarget;
  onInsert: (text: string, tab: Tab) => void;
  /** A macro was used. */
  onDone: () => void;
  /** Nothing was chosen; called with the search text. */
  onDismiss: (search: string) => void;
  /** Opened by a slash in the text. If a space follows, it stays a slash. */
  bySlash: boolean;
}

/** Inserts a macro's text into the box, or applies it to the ticket or chat; either closes the picker. */
function useMacroActions(
  { target, onInsert, onDone }: Pick<MacroPickerProps, 'target' | 'onInsert' | 'onDone'>,
  filled: PlaceholderValues,
) {
  const desk = useDesk();
  const { mutate: apply, isPending } = useMutation({
    mutationFn: async ({ id: macro_id }: Macro) => {
      if ('ticket' in target)
        desk.takeTicket(await call('macros.apply', { macro_id, ticket_id: target.ticket.id }));
      else desk.take(await call('macros.apply_to_chat', { macro_id, session_id: target.session.session_id }));
    },
    onSuccess: (_, { name }) => {
      toast.success(t('macro_applied', { name }));
      onDone();
    },
    onError: (error) => toast.error(t('macro_failed'), error),
  });
  /** A macro without text is applied. */
  const insert = (macro: Macro): void => {
    const written = macro.actions.find(isWriting);
    if (written) {
      onInsert(fillMacroText(written.body, filled), written.type);
      // A failure to count the use doesn't matter.
      void call('macros.note_use', { id: macro.id }).catch(() => undefined);
    } else apply(macro);
  };
  return { insert, apply, isApplying: isPending };
}

/** A slash followed by a space isn't a search. */
function usePlainSlash(bySlash: boolean, search: string, onDismiss: (search: string) => void): void {
  const isPlain = bySlash && /^\s/.test(search);
  useEffect(() => {
    if (isPlain) onDismiss(search);
  });
}

/** Finds a macro, previews it, and inserts its text or applies it. */
export function MacroPicker({ values, ...rest }: MacroPickerProps) {
  const { target, bySlash, onDone, onDismiss } = rest;
  const isTicket = 'ticket' in target;
  const { agent, site } = useMe();
  const { data } = useQuery(macrosQuery);
  const [chosen, setChosen] = useState('');
  const [search, setSearch] = useState('');
  const all = data?.items ?? [];
  const macros = isTicket ? all : all.filter(({ actions }) => actions.some(worksInChat));
  const filled: PlaceholderValues = { ...values, 'agent.name': agent.name, 'site.name': site.name };
  const macro = macros.find(({ id }) => String(id) === chosen);
  const { insert, apply, isApplying } = useMacroActions(rest, filled);
  usePlainSlash(bySlash, search, onDismiss);
  return (
    <PickDialog
      label={t('macros')}
      placeholder={t('macro_find')}
      search={search}
      onSearch={setSearch}
      onClose={() => onDismiss(search)}
      wide
      command={{ value: chosen, onValueChange: setChosen }}
    >
      <div className="flex max-sm:flex-col">
        <MacroList all={all} macros={macros} onSelect={insert} />
        <section
          aria-label={t('preview')}
          {...BY_KEYBOARD}
          className="scroll-y -outline-offset-2 h-72 min-w-0 p-4 max-sm:h-[30dvh] sm:flex-1"
        >
          {macro ? <MacroPreview macro={macro} values={filled} isTicket={isTicket} /> : null}
        </section>
      </div>
      {isTicket && macro?.actions.some(({ type }) => type === 'reply') ? (
        <div className="border-t px-4 py-1">
          <TicketMailLine ticket={target.ticket} />
        </div>
      ) : null}
      <div className="flex flex-wrap items-center gap-2 border-t px-4 py-3">
        <Link
          to="/settings/macros"
          onClick={onDone}
          className="me-auto py-1 text-accent-text hover:underline"
        >
          {t('macros_manage')}
        </Link>
        {macro?.actions.some(isWriting) ? (
          <Button onClick={() => insert(macro)}>{t('macro_insert')}</Button>
        ) : null}
        {macro ? (
          <Button look="primary" busy={isApplying} onClick={() => apply(macro)}>
            {t('macro_apply')}
          </Button>
        ) : null}
      </div>
    </PickDialog>
  );
}

interface MacroListProps {
  /** All of the site's: without any, the list says so. */
  all: readonly Macro[];
  /** Those that can be used here. */
  macros: readonly Macro[];
  onSelect: (macro: Macro) => void;
}

function MacroList({ all, macros, onSelect }: MacroListProps) {
  return (
    <Command.List className="scroll-y h-72 shrink-0 p-1 max-sm:h-[25dvh] sm:w-64 sm:border-e">
      <Command.Empty className="px-4 py-6 text-center text-soft">
        {all.length === 0
          ? t('macros_none')
          : macros.length === 0
            ? t('macros_for_tickets')
            : t('macro_not_found')}
      </Command.Empty>
      {macros.map((macro) => (
        <Command.Item
          key={macro.id}
          value={String(macro.id)}
          keywords={[macro.name]}
          onSelect={() => onSelect(macro)}
          className="flex h-9 cursor-default items-center gap-2 rounded-lg px-3 data-[selected=true]:bg-hover"
        >
          <Zap aria-hidden className="size-4 shrink-0 text-soft" />
          <span className="min-w-0 flex-1 truncate">
            <bdi>{macro.name}</bdi>
          </span>
          <VisibilityMark seen={macro} />
        </Command.Item>
      ))}
    </Command.List>
  );
}
