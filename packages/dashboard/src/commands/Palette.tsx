import { Dialog } from '@base-ui/react/dialog';
import { SEARCH_MAX } from '@foyer/protocol/values/bounds';
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import {
  ArrowLeft,
  ArrowRight,
  BookOpen,
  Check,
  ChevronRight,
  MessageCircle,
  Search,
  Ticket,
  User,
} from 'lucide-react';
import { type Dispatch, type ReactNode, type SetStateAction, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useNeeds } from '../desk/DeskContext.tsx';
import { cx } from '../ui/classes.ts';
import { FINDER_BOX } from '../ui/dialogs/Dialog.tsx';
import { ErrorNote } from '../ui/ErrorNote.tsx';
import { Keys } from '../ui/Tip.tsx';
import { COMMAND_ICONS } from './command-icons.ts';
import {
  type Choice,
  COMMAND_IDS,
  type CommandId,
  commandOf,
  type Handler,
  handlerOf,
  useCommandsNow,
} from './commands.ts';
import { type Found, type FoundKind, useFound, useOpenedLately } from './found.ts';
import { bestFirst } from './match.ts';
import { PLACES, type Place, placeName } from './places.ts';
import { t } from './t.ts';
import { holdTyped, takeTyped } from './typed-ahead.ts';
import { useDeskCommands } from './use-desk-commands.ts';

const ICONS = { chat: MessageCircle, ticket: Ticket, visitor: User, article: BookOpen };

/** From this length on, the search also finds the choices of commands. */
const DEEP_FROM = 2;
/** How many choices of one command are shown at once. Typing finds the rest. */
const CHOICES_SHOWN = 100;

const GROUP =
  'px-2 pb-2 [&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-2 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-faint';

interface RowProps {
  /** Identifies the row. */
  value: string;
  icon?: ReactNode;
  onSelect: () => void;
  children: ReactNode;
  /** At the end of the row. */
  end?: ReactNode;
}

function Row({ value, icon, onSelect, children, end }: RowProps) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex h-10 cursor-default items-center gap-3 rounded-lg px-3 data-[selected=true]:bg-hover max-md:h-11 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-soft"
    >
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {end}
    </Command.Item>
  );
}

interface CommandRow {
  id: CommandId;
  handler: Handler;
  label: string;
}

const commandRow = (id: CommandId): CommandRow[] => {
  const handler = handlerOf(id);
  return handler ? [{ id, handler, label: handler.label ?? t(`do_${id}`) }] : [];
};

/** All available commands, except the one that shows the palette. Commands that open pages are listed as pages. */
const commandRows = (): CommandRow[] =>
  COMMAND_IDS.filter(
    (id) => id !== 'palette' && id !== 'close_layer' && commandOf(id).group !== 'go',
  ).flatMap(commandRow);

/** `opensField`: further typing belongs to what this opens. */
type Run = (act: () => void, opensField?: boolean) => void;

interface StepProps {
  search: string;
  /** Closes the palette, then runs the action. */
  run: Run;
}

interface PaletteProps {
  /** The command that it was opened for; null: everything. */
  command: CommandId | null;
  onClose: () => void;
}

/** Ctrl K: every page, command, chat, ticket, visitor and article. */
export const Palette = (props: PaletteProps) => (
  <>
    <DeskCommands />
    <PaletteDialog {...props} />
  </>
);

/** Separate from the component that shows the commands, which its own changes would render again. */
function DeskCommands() {
  useDeskCommands();
  return null;
}

/**
 * Runs the chosen action once the dialog has closed: it restores the focus first, which the action may then move.
 */
function useRunAfterClose(onClose: () => void): Run {
  const chosen = useRef<(() => void) | null>(null);
  useEffect(() => () => void (chosen.current && setTimeout(chosen.current)), []);
  return (act, opensField = false) => {
    chosen.current = act;
    onClose();
    if (opensField) holdTyped();
  };
}

function PaletteDialog({ command, onClose }: PaletteProps) {
  const [at, setAt] = useState(command);
  const [search, setSearch] = useState('');
  useCommandsNow();
  const handler = at === null ? undefined : handlerOf(at);
  const run = useRunAfterClose(onClose);
  const goTo = (next: CommandId | null): void => {
    // Immediately, because the key pressed after Enter belongs to the next step.
    flushSync(() => {
      setAt(next);
      setSearch('');
    });
  };
  const back = at !== null && command === null ? (): void => goTo(null) : undefined;
  return (
    <Dialog.Root
      open
      onOpenChange={(open, { reason }) => {
        if (!open && back && reason === 'escape-key') back();
        else if (!open) onClose();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <Dialog.Popup aria-label={t('title')} className={cx(FINDER_BOX, 'max-w-xl')}>
          <Command label={t('title')} loop shouldFilter={false} key={at ?? 'all'}>
            <SearchLine
              search={search}
              onSearch={setSearch}
              placeholder={at === null ? t('placeholder') : (handler?.label ?? t(`do_${at}`))}
              onBack={back}
            />
            <Command.List label={t('results')} className="scroll-y max-h-[50dvh] scroll-py-2 pt-1">
              {handler?.choices ? (
                <Choices handler={handler} search={search} run={run} />
              ) : (
                <Everything search={search} run={run} onDeeper={goTo} />
              )}
            </Command.List>
          </Command>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface SearchLineProps {
  search: string;
  onSearch: Dispatch<SetStateAction<string>>;
  placeholder: string;
  /** Returns from a command's choices to everything. */
  onBack: (() => void) | undefined;
}

function SearchLine({ search, onSearch, placeholder, onBack }: SearchLineProps) {
  return (
    <div className="flex items-center gap-3 border-b px-4">
      {onBack ? (
        <button
          type="button"
          aria-label={t('back')}
          onClick={onBack}
          className="-ms-2 flex size-8 shrink-0 items-center justify-center rounded-lg text-soft hover:bg-hover hover:text-text"
        >
          <ArrowLeft aria-hidden className="size-4 rtl:rotate-180" />
        </button>
      ) : (
        <Search aria-hidden className="size-4 shrink-0 text-soft" />
      )}
      <Command.Input
        autoFocus
        maxLength={SEARCH_MAX}
        value={search}
        onValueChange={onSearch}
        onFocus={() => onSearch((written) => written + takeTyped())}
        placeholder={placeholder}
        onKeyDown={(event) => {
          if (event.key === 'Backspace' && search === '') onBack?.();
        }}
        className="h-12 w-full min-w-0 bg-transparent text-base outline-none"
      />
    </div>
  );
}

function ChoiceRow({
  choice,
  value,
  run,
  of,
}: {
  choice: Choice;
  value: string;
  run: StepProps['run'];
  /** The command to which the choice belongs, if the step doesn't show it. */
  of?: { id: CommandId; label: string };
}) {
  const Icon = of && COMMAND_ICONS[of.id];
  return (
    <Row
      value={value}
      icon={Icon ? <Icon aria-hidden /> : undefined}
      onSelect={() => run(choice.run, choice.opensField)}
      end={
        <>
          {choice.hint ? <span className="tabular shrink-0 text-faint text-xs">{choice.hint}</span> : null}
          {choice.isCurrent ? (
            <>
              <Check aria-hidden className="size-4 shrink-0 text-accent-text" />
              <span className="sr-only">{t('current')}</span>
            </>
          ) : null}
        </>
      }
    >
      {of ? <span className="text-soft">{of.label} · </span> : null}
      <bdi>{choice.label}</bdi>
    </Row>
  );
}

/** The choices of one command. */
function Choices({ handler, search, run }: StepProps & { handler: Handler }) {
  const choices = bestFirst(handler.choices?.() ?? [], search, ({ label }) => label);
  const read = search.trim() === '' ? undefined : handler.read?.(search);
  const written = choices.some(({ hint }) => hint === read?.label) ? undefined : read;
  return (
    <>
      <Command.Empty className="px-5 py-6 text-center text-soft">
        {search.trim() === '' ? (handler.none ?? t('nothing_to_choose')) : t('none', { search })}
      </Command.Empty>
      <Command.Group className="px-2 py-1">
        {written ? <ChoiceRow choice={written} value="written" run={run} /> : null}
        {choices.slice(0, CHOICES_SHOWN).map((choice) => (
          <ChoiceRow key={choice.key} value={`choice ${choice.key}`} choice={choice} run={run} />
        ))}
      </Command.Group>
    </>
  );
}

/** Before anything is typed, only the pages of the main menu are offered. */
const isOnMap = (place: Place): boolean => 'command' in place;

/** The commands, choices and pages that match a search, best first. */
function useMatches(search: string) {
  const mayOpen = useNeeds();
  const typed = search.trim();
  const commands = bestFirst(commandRows(), search, ({ label }) => label);
  const isHere = ({ id }: CommandRow): boolean => commandOf(id).group !== 'everywhere';
  // Navigating the list is quicker by key, so these commands are found but not offered.
  const isOffered = ({ id }: CommandRow): boolean => typed !== '' || commandOf(id).group !== 'list';
  const deep =
    typed.length < DEEP_FROM
      ? []
      : commandRows().flatMap(({ id, handler, label }) =>
          bestFirst(handler.choices?.() ?? [], search, (choice) => `${label} ${choice.label}`)
            .slice(0, CHOICES_SHOWN)
            .map((choice) => ({ id, label, choice })),
        );
  const open = PLACES.filter((place) => mayOpen('needs' in place ? place.needs : undefined));
  const places = bestFirst(typed === '' ? open.filter(isOnMap) : open, search, placeName);
  return {
    here: commands.filter(isHere).filter(isOffered),
    everywhere: commands.filter((row) => !isHere(row)),
    deep,
    places,
    isEmpty: commands.length + deep.length + places.length === 0,
  };
}

interface CommandGroupProps {
  heading: string;
  rows: readonly CommandRow[];
  run: StepProps['run'];
  onDeeper: (id: CommandId) => void;
}

function CommandGroup({ heading, rows, run, onDeeper }: CommandGroupProps) {
  if (rows.length === 0) return null;
  return (
    <Command.Group heading={heading} className={GROUP}>
      {rows.map(({ id, handler, label }) => {
        const { keys } = commandOf(id);
        const Icon = COMMAND_ICONS[id];
        return (
          <Row
            key={id}
            value={`command ${id}`}
            icon={<Icon aria-hidden />}
            onSelect={() => (handler.choices ? onDeeper(id) : run(() => handler.run?.()))}
            end={
              <>
                {keys ? <Keys keys={keys} /> : null}
                {handler.choices ? <ChevronRight aria-hidden className="size-4 rtl:rotate-180" /> : null}
              </>
            }
          >
            {label}
          </Row>
        );
      })}
    </Command.Group>
  );
}

function Everything({ search, run, onDeeper }: StepProps & { onDeeper: (id: CommandId) => void }) {
  const lately = useOpenedLately();
  const { found, isPending, error } = useFound(search);
  const { here, everywhere, deep, places, isEmpty } = useMatches(search);
  const typed = search.trim();
  return (
    <>
      {error ? <ErrorNote error={error} title={t('found_failed')} className="mx-3 my-2" /> : null}
      {isEmpty && found.length === 0 && !error ? (
        <p role="status" className="px-5 py-6 text-center text-soft">
          {isPending ? t('searching') : t('none', { search: typed })}
        </p>
      ) : null}
      {typed === '' ? <FoundGroup title={t('lately')} found={lately} run={run} /> : null}
      <CommandGroup heading={t('here')} rows={here} run={run} onDeeper={onDeeper} />
      {deep.length > 0 ? (
        <Command.Group heading={t('choices')} className={GROUP}>
          {deep.map(({ id, label, choice }) => (
            <ChoiceRow
              key={`${id} ${choice.key}`}
              value={`deep ${id} ${choice.key}`}
              of={{ id, label }}
              choice={choice}
              run={run}
            />
          ))}
        </Command.Group>
      ) : null}
      {typed !== '' ? <Places places={places} run={run} /> : null}
      {KINDS.map((kind) => (
        <FoundGroup
          key={kind}
          title={t(`found_${kind}`)}
          found={found.filter((one) => one.kind === kind)}
          run={run}
        />
      ))}
      {typed === '' ? <Places places={places} run={run} /> : null}
      <CommandGroup heading={t('everywhere')} rows={everywhere} run={run} onDeeper={onDeeper} />
    </>
  );
}

const addressOf = (place: Place) =>
  'params' in place ? { to: place.to, params: place.params } : { to: place.to };

function Places({ places, run }: { places: readonly Place[]; run: StepProps['run'] }) {
  const navigate = useNavigate();
  if (places.length === 0) return null;
  return (
    <Command.Group heading={t('group_go')} className={GROUP}>
      {places.map((place) => (
        <Row
          key={place.to}
          value={`place ${place.to}`}
          icon={<ArrowRight aria-hidden />}
          onSelect={() => run(() => void navigate(addressOf(place)))}
          end={'command' in place ? <Keys keys={commandOf(place.command).keys ?? ''} /> : null}
        >
          {placeName(place)}
        </Row>
      ))}
    </Command.Group>
  );
}

const KINDS: readonly FoundKind[] = ['chat', 'ticket', 'visitor', 'article'];

function FoundGroup({ title, found, run }: { title: string; found: Found[]; run: StepProps['run'] }) {
  if (found.length === 0) return null;
  return (
    <Command.Group heading={title} className={GROUP}>
      {found.map(({ key, kind, name, detail, hint, run: open }) => {
        const Icon = ICONS[kind];
        return (
          <Row
            key={key}
            value={key}
            icon={<Icon aria-hidden />}
            onSelect={() => run(open)}
            end={hint ? <span className="shrink-0 text-faint text-xs max-sm:hidden">{hint}</span> : null}
          >
            <bdi>{name}</bdi>
            {detail ? (
              <span className="text-soft">
                {' · '}
                <bdi>{detail}</bdi>
              </span>
            ) : null}
          </Row>
        );
      })}
    </Command.Group>
  );
}
