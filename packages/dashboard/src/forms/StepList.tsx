import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, IconButton } from '../ui/Button.tsx';
import { Menu } from '../ui/Menu.tsx';

/** A step of a form; its key stays with it while it is moved and changed. */
export interface KeyedStep<S> {
  key: number;
  step: S;
}

let nextKey = 1;
/** Gives a step a key of its own, which is never sent. */
export const keyed = <S,>(step: S): KeyedStep<S> => ({ key: nextKey++, step });

interface StepListProps<S> {
  steps: readonly KeyedStep<S>[];
  max: number;
  /** What a step does, with its number. */
  titleOf: (step: S, at: number) => string;
  words: {
    nothing: string;
    add: string;
    up: (step: string) => string;
    down: (step: string) => string;
    remove: (step: string) => string;
  };
  /** The kinds of step that can be added. */
  kinds: readonly { label: string; create: () => S }[];
  fields: (step: S, at: number, change: (changed: S) => void) => ReactNode;
  onChange: (steps: KeyedStep<S>[]) => void;
}

/** Steps from top to bottom, which can be moved, changed, removed and added. */
export function StepList<S>({ steps, max, titleOf, words, kinds, fields, onChange }: StepListProps<S>) {
  const swap = (at: number, other: number): void => {
    const [one, two] = [steps[at], steps[other]];
    if (one && two) onChange(steps.with(at, two).with(other, one));
  };
  return (
    <>
      {steps.length === 0 ? <p className="mb-3 text-soft">{words.nothing}</p> : null}
      <ol className="space-y-3">
        {steps.map(({ key, step }, at) => {
          const title = titleOf(step, at);
          return (
            <li key={key} className="rounded-lg border py-2 ps-4 pe-2">
              <div className="mb-1 flex items-center gap-1">
                <h3 className="min-w-0 flex-1 truncate font-medium" title={title}>
                  {title}
                </h3>
                <IconButton label={words.up(title)} disabled={at === 0} onClick={() => swap(at, at - 1)}>
                  <ArrowUp aria-hidden className="size-4" />
                </IconButton>
                <IconButton
                  label={words.down(title)}
                  disabled={at === steps.length - 1}
                  onClick={() => swap(at, at + 1)}
                >
                  <ArrowDown aria-hidden className="size-4" />
                </IconButton>
                <IconButton label={words.remove(title)} onClick={() => onChange(steps.toSpliced(at, 1))}>
                  <X aria-hidden className="size-4" />
                </IconButton>
              </div>
              <div className="pe-2 pb-2">
                {fields(step, at, (changed) => onChange(steps.with(at, { key, step: changed })))}
              </div>
            </li>
          );
        })}
      </ol>
      {steps.length < max ? (
        <div className="mt-3">
          <Menu
            label={words.add}
            align="start"
            trigger={<Button icon={<Plus aria-hidden className="size-4" />}>{words.add}</Button>}
            items={kinds.map(({ label, create }) => ({
              label,
              onSelect: () => onChange([...steps, keyed(create())]),
            }))}
          />
        </div>
      ) : null}
    </>
  );
}
