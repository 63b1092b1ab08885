import { ImagePlus, Link, Table } from 'lucide-react';
import { isInTable } from 'prosemirror-tables';
import { type FocusEvent, type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { IconButton } from '../ui/Button.tsx';
import { cx } from '../ui/classes.ts';
import { PicturePicker } from '../ui/forms/PicturePicker.tsx';
import { Menu } from '../ui/Menu.tsx';
import { hasMark, selectedPicture } from './commands.ts';
import { t } from './t.ts';
import { insertTable, TABLE_COMMANDS } from './tables.ts';
import { BLOCKS, HEADINGS, HISTORY, LINK as LINKING, MARKS, RULE, type Tool } from './tools.ts';
import type { RichText } from './use-rich-text.ts';

interface RichToolbarProps {
  text: RichText;
  uploading: boolean;
  onPictures: (files: Iterable<File>) => void;
  /** Opens the link dialog. */
  onLink: () => void;
  /** Opens the dialog for the selected image's description. */
  onDescribe: () => void;
}

const ON = 'bg-accent-ground text-accent-text';

/** The article editor's tools. */
export function RichToolbar(props: RichToolbarProps) {
  const { text } = props;
  return (
    <Arrows className="sticky top-0 z-10 flex-wrap gap-0.5 rounded-t-lg border-b bg-surface p-1">
      <Tools text={text} tools={MARKS} />
      <Divider />
      <Tools text={text} tools={HEADINGS} />
      <Tools text={text} tools={BLOCKS} />
      <Divider />
      <Insert {...props} />
      <Divider />
      <Tools text={text} tools={HISTORY} />
    </Arrows>
  );
}

export const Divider = () => <span aria-hidden className="mx-1 h-5 w-px bg-line max-md:hidden" />;

const buttonsOf = (bar: HTMLElement): HTMLElement[] => [...bar.querySelectorAll<HTMLElement>('button')];

/** A toolbar: one tab stop, navigated by arrow keys. */
export function Arrows({ className, children }: { className: string; children: ReactNode }) {
  const bar = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  const go = (event: KeyboardEvent): void => {
    const buttons = bar.current ? buttonsOf(bar.current) : [];
    const forward = bar.current && getComputedStyle(bar.current).direction === 'rtl' ? -1 : 1;
    const targets: Record<string, number> = {
      ArrowRight: current + forward,
      ArrowLeft: current - forward,
      Home: 0,
      End: -1,
    };
    const target = targets[event.key];
    if (target === undefined || !buttons.some((button) => button === event.target)) return;
    event.preventDefault();
    buttons.at(target % buttons.length)?.focus();
  };
  const focused = (event: FocusEvent): void => {
    const at = bar.current ? buttonsOf(bar.current).indexOf(event.target as HTMLElement) : -1;
    if (at >= 0) setCurrent(at);
  };
  return (
    <div
      ref={(element) => {
        bar.current = element;
        if (element)
          for (const [at, button] of buttonsOf(element).entries()) button.tabIndex = at === current ? 0 : -1;
      }}
      role="toolbar"
      aria-label={t('formatting')}
      onKeyDown={go}
      onFocus={focused}
      // A click leaves the caret in the text.
      onMouseDown={(event) => event.preventDefault()}
      className={cx('flex items-center', className)}
    >
      {children}
    </div>
  );
}

export function Tools({ text, tools }: { text: RichText; tools: readonly Tool[] }) {
  return tools.map((tool) => <ToolButton key={tool.label()} text={text} tool={tool} />);
}

function ToolButton({ text: { state, run }, tool }: { text: RichText; tool: Tool }) {
  const isOn = tool.isOn?.(state) ?? false;
  const isOff = tool.isOff?.(state) ?? !tool.run(state);
  return (
    <IconButton
      label={tool.label()}
      {...(tool.keys ? { shortcut: tool.keys } : {})}
      {...(tool.isOn ? { 'aria-pressed': isOn } : {})}
      disabled={isOff}
      className={cx(isOn && ON)}
      onClick={() => run(tool.run)}
    >
      <tool.icon aria-hidden className="size-4" />
    </IconButton>
  );
}

/** Opens the link dialog. */
export function LinkButton({ text: { state }, onLink }: { text: RichText; onLink: () => void }) {
  const isLink = hasMark(state, 'link');
  return (
    <IconButton
      label={t('link')}
      shortcut={LINKING.keys}
      aria-pressed={isLink}
      disabled={state.selection.$from.parent.type.spec.code === true}
      className={cx(isLink && ON)}
      onClick={onLink}
    >
      <Link aria-hidden className="size-4" />
    </IconButton>
  );
}

function Insert({ text, uploading, onPictures, onLink, onDescribe }: RichToolbarProps) {
  const picker = useRef<HTMLInputElement>(null);
  const picture = selectedPicture(text.state);
  return (
    <>
      <LinkButton text={text} onLink={onLink} />
      <IconButton
        label={t(picture ? 'image_describe' : 'image')}
        busy={uploading}
        className={cx(picture && ON)}
        onClick={() => (picture ? onDescribe() : picker.current?.click())}
      >
        <ImagePlus aria-hidden className="size-4" />
      </IconButton>
      <PicturePicker picker={picker} label={t('images_choose')} onPictures={onPictures} />
      <TableButton text={text} />
      <ToolButton text={text} tool={RULE} />
    </>
  );
}

/** Inserts a table; inside one, offers all table commands. */
export function TableButton({ text: { state, run, view } }: { text: RichText }) {
  if (!isInTable(state))
    return (
      <IconButton label={t('table')} disabled={!insertTable(state)} onClick={() => run(insertTable)}>
        <Table aria-hidden className="size-4" />
      </IconButton>
    );
  return (
    <Menu
      label={t('table')}
      align="start"
      trigger={
        <IconButton label={t('table')} className={ON}>
          <Table aria-hidden className="size-4" />
        </IconButton>
      }
      items={TABLE_COMMANDS.map(({ label, run: change }) => ({
        label: t(label),
        danger: label === 'table_delete',
        onSelect: () => {
          change(state, view.dispatch);
          // The menu restores the focus to its button first.
          requestAnimationFrame(() => view.focus());
        },
      }))}
    />
  );
}
