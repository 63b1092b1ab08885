import type { MacroAction } from '@foyer/protocol';
import { MACRO_ACTIONS_MAX } from '@foyer/protocol/values/bounds';
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { Menu } from '../../../ui/Menu.tsx';
import { StepFields } from './StepFields.tsx';
import { newStep, STEP_KINDS, stepWord } from './steps.ts';
import { t } from './t.ts';

/** A step of the form with a key that stays while it is moved and changed. */
interface KeyedStep {
  key: number;
  action: MacroAction;
}

let nextKey = 1;
/** Gives a step a key, which is never sent. */
export const keyed = (action: MacroAction): KeyedStep => ({ key: nextKey++, action });

interface StepListProps {
  steps: readonly KeyedStep[];
  /** The error of the step at an index, as a sentence. */
  faultAt: (at: number) => string | undefined;
  onChange: (steps: KeyedStep[]) => void;
}

/** A macro's steps in order. */
export function StepList({ steps, faultAt, onChange }: StepListProps) {
  const swap = (at: number, other: number): void => {
    const [one, two] = [steps[at], steps[other]];
    if (one && two) onChange(steps.with(at, two).with(other, one));
  };
  return (
    <>
      {steps.length === 0 ? <p className="mb-3 text-soft">{t('nothing_yet')}</p> : null}
      <ol className="space-y-3">
        {steps.map(({ key, action }, at) => {
          const step = t('step', { number: at + 1, step: stepWord(action.type) });
          return (
            <li key={key} className="rounded-lg border py-2 ps-4 pe-2">
              <div className="mb-1 flex items-center gap-1">
                <h3 className="min-w-0 flex-1 truncate font-medium">{step}</h3>
                <IconButton
                  label={t('move_up', { step })}
                  disabled={at === 0}
                  onClick={() => swap(at, at - 1)}
                >
                  <ArrowUp aria-hidden className="size-4" />
                </IconButton>
                <IconButton
                  label={t('move_down', { step })}
                  disabled={at === steps.length - 1}
                  onClick={() => swap(at, at + 1)}
                >
                  <ArrowDown aria-hidden className="size-4" />
                </IconButton>
                <IconButton label={t('remove', { step })} onClick={() => onChange(steps.toSpliced(at, 1))}>
                  <X aria-hidden className="size-4" />
                </IconButton>
              </div>
              <div className="pe-2 pb-2">
                <StepFields
                  step={action}
                  fault={faultAt(at)}
                  onChange={(changed) => onChange(steps.with(at, { key, action: changed }))}
                />
              </div>
            </li>
          );
        })}
      </ol>
      {steps.length < MACRO_ACTIONS_MAX ? (
        <div className="mt-3">
          <Menu
            label={t('add')}
            align="start"
            trigger={<Button icon={<Plus aria-hidden className="size-4" />}>{t('add')}</Button>}
            items={STEP_KINDS.map((kind) => ({
              label: stepWord(kind),
              onSelect: () => onChange([...steps, keyed(newStep(kind))]),
            }))}
          />
        </div>
      ) : null}
    </>
  );
}
