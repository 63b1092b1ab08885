import { ArrowDown, ArrowUp } from 'lucide-react';
import { type DragEvent, type KeyboardEvent, type ReactNode, useState } from 'react';
import { IconButton } from '../Button.tsx';
import { cx } from '../classes.ts';

const STEPS: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 };

/** The list with one row moved. */
export const movedIn = <T,>(list: readonly T[], from: number, to: number): T[] =>
  list.toSpliced(from, 1).toSpliced(to, 0, ...list.slice(from, from + 1));

interface RowOrder {
  /** The number of rows. */
  count: number;
  /** Another move is running, or the agent may not. */
  off?: boolean;
  onMove: (from: number, to: number) => void;
  /** The row's new position, for screen readers. */
  words: (from: number, to: number) => string;
}

/** Lets rows be reordered: by dragging, or by Alt and an arrow key within a row. */
export function useRowOrder({ count, off = false, onMove, words }: RowOrder) {
  const [dragged, setDragged] = useState<number | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const [said, setSaid] = useState('');
  const move = (from: number, to: number): void => {
    if (off || from === to || to < 0 || to >= count) return;
    onMove(from, to);
    setSaid(words(from, to));
  };
  const end = (): void => {
    setDragged(null);
    setOver(null);
  };
  const status: ReactNode = (
    <p role="status" className="sr-only">
      {said}
    </p>
  );
  const rowProps = (at: number) => ({
    draggable: !off,
    onDragStart: (event: DragEvent) => {
      event.dataTransfer.effectAllowed = 'move';
      setDragged(at);
    },
    onDragOver: (event: DragEvent) => {
      if (dragged === null) return;
      event.preventDefault();
      setOver(at);
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      if (dragged !== null) move(dragged, at);
      end();
    },
    onDragEnd: end,
    onKeyDown: (event: KeyboardEvent) => {
      const step = STEPS[event.key];
      if (!event.altKey || step === undefined) return;
      event.preventDefault();
      move(at, at + step);
    },
  });
  const lookOf = (at: number): string =>
    cx(over === at && dragged !== at && 'bg-selected', dragged === at && 'opacity-50');
  return { move, rowProps, lookOf, status };
}

interface MoveButtonsProps {
  at: number;
  count: number;
  up: string;
  down: string;
  busy: boolean;
  onMove: (from: number, to: number) => void;
}

/** Buttons to move up and down, for devices without drag and drop. */
export const MoveButtons = ({ at, count, up, down, busy, onMove }: MoveButtonsProps) => (
  <>
    <IconButton label={up} disabled={at === 0} busy={busy} onClick={() => onMove(at, at - 1)}>
      <ArrowUp aria-hidden className="size-4" />
    </IconButton>
    <IconButton label={down} disabled={at === count - 1} busy={busy} onClick={() => onMove(at, at + 1)}>
      <ArrowDown aria-hidden className="size-4" />
    </IconButton>
  </>
);
