import { cloneElement, type ReactElement } from 'react';
import { tCommon } from '../t-common.ts';

const NAMED = {
  Ctrl: 'key_ctrl',
  Shift: 'key_shift',
  Enter: 'key_enter',
  Esc: 'key_esc',
  Alt: 'key_alt',
} as const;
const isNamed = (key: string): key is keyof typeof NAMED => Object.hasOwn(NAMED, key);
const keyName = (key: string): string => (isNamed(key) ? tCommon(NAMED[key]) : key);

/** The keys of a shortcut, as on the keyboard. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span className="inline-flex gap-1 whitespace-nowrap">
      {keys.split(' ').map((key) => (
        <kbd
          key={key}
          className="min-w-5 rounded-sm border border-line-strong bg-surface px-1 text-center font-sans text-soft text-xs"
        >
          {keyName(key)}
        </kbd>
      ))}
    </span>
  );
}

interface TipMarks {
  'data-tip'?: string;
  'data-tip-keys'?: string | undefined;
}

/** Describes a control and its shortcut on hover and focus. `TipLayer` shows it. */
export const Tip = ({
  text,
  shortcut,
  children,
}: {
  text: string;
  shortcut?: string;
  children: ReactElement<TipMarks>;
}) => cloneElement(children, { 'data-tip': text, 'data-tip-keys': shortcut });
