import type { Macro, Ticket } from '@foyer/protocol';
import { fillMacroText, type PlaceholderValues } from '@foyer/protocol/values/macro-text';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { Zap } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api.ts';
import { useDesk, useMe } from '../../../desk/DeskContext.tsx';
import type { Tab } from '../../../live/kept-draft.ts';
import { macrosQuery } from '../../../queries.ts';
import { Button } from '../../../ui/Button.tsx';
import { BY_KEYBOARD } from '../../../ui/by-keyboard.ts';
import { PickDialog } from '../../../ui/dialogs/PickDialog.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { isWriting, MacroPreview } from './MacroPreview.tsx';
import { t } from './t.ts';

/** Agent and site are known everywhere. */
export type MacroValues = Omit<PlaceholderValues, 'agent.name' | 'site.name'>;

interface MacroPickerProps {
  values: MacroValues;
  /** Where all of a macro's actions can be done; without one, as in a chat, there are only its words. */
  ticket?: Ticket;
  onInsert: (text: string, tab: Tab) => void;
  onClose: () => void;
}

/** Puts a macro's words into the box, or applies all of it to the ticket; either closes the picker. */
function useMacroActions(
  { ticket, onInsert, onClose }: Omit<MacroPickerProps, 'values'>,
  filled: PlaceholderValues,
) {
  const desk = useDesk();
  const { mutate, isPending } = useMutation({
    mutationFn: ({ macro_id, ticket_id }: ApplyMacro) => call('macros.apply', { macro_id, ticket_id }),
    onSuccess: (changed, { name }) => {
      desk.takeTicket(changed);
      toast.success(t('macro_applied', { name }));
      onClose();
    },
    onError: (error) => toast.error(t('macro_failed'), error),
  });
  const apply = ({ id, name }: Macro): void => {
    if (ticket) mutate({ macro_id: id, ticket_id: ticket.id, name });
  };
  /** A macro without words is applied. */
  const insert = (macro: Macro): void => {
    const written = macro.actions.find(isWriting);
    if (written) {
      onInsert(fillMacroText(written.body, filled), written.type);
      // The agent goes on writing even if this use isn't counted.
      void call('macros.note_use', { id: macro.id }).catch(() => undefined);
      onClose();
    } else apply(macro);
  };
  return { insert, apply, isApplying: isPending };
}

/** Finds a macro, shows what it would do here, and puts its words into the box or does all of it. */
export function MacroPicker({ values, ...rest }: MacroPickerProps) {
  const { ticket, onClose } = rest;
  const { agent, site } = useMe();
  const { data } = useQuery(macrosQuery);
  const [chosen, setChosen] = useState('');
  const [search, setSearch] = useState('');
  const all = data?.items ?? [];
  const macros = ticket ? all : all.filter(({ actions }) => actions.some(isWriting));
  const filled: PlaceholderValues = { ...values, 'agent.name': agent.name, 'site.name': site.name };
  const macro = macros.find(({ id }) => String(id) === chosen);
  const { insert, apply, isApplying } = useMacroActions(rest, filled);
  return (
    <PickDialog
      label={t('macros')}
      placeholder={t('macro_find')}
      search={search}
      onSearch={setSearch}
      onClose={onClose}
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
          {macro ? <MacroPreview macro={macro} values={filled} isTicket={ticket !== undefined} /> : null}
        </section>
      </div>
      <div className="flex flex-wrap items-center gap-2 border-t px-4 py-3">
        <Link
          to="/settings/macros"
          onClick={onClose}
          className="me-auto py-1 text-accent-text hover:underline"
        >
          {t('macros_manage')}
        </Link>
        {macro?.actions.some(isWriting) ? (
          <Button onClick={() => insert(macro)}>{t('macro_insert')}</Button>
        ) : null}
        {macro && ticket ? (
          <Button look="primary" busy={isApplying} onClick={() => apply(macro)}>
            {t('macro_apply')}
          </Button>
        ) : null}
      </div>
    </PickDialog>
  );
}

interface MacroListProps {
  /** Those of the site: without any, the list says so. */
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
            ? t('macros_without_text')
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
          <span className="truncate">
            <bdi>{macro.name}</bdi>
          </span>
        </Command.Item>
      ))}
    </Command.List>
  );
}

interface ApplyMacro {
  macro_id: number;
  ticket_id: number;
  name: string;
}
