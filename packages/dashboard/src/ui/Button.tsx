import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { cx } from './classes.ts';
import { Tip } from './Tip.tsx';

type Look = 'primary' | 'plain' | 'quiet' | 'danger' | 'danger-quiet';

/** Each has a border: in forced-colours mode nothing else is left of a button. */
const LOOKS: Record<Look, string> = {
  primary: 'border border-transparent bg-accent text-on-accent hover:bg-accent-strong',
  plain: 'border border-line-strong bg-field text-text hover:bg-hover active:bg-pressed',
  quiet: 'border border-transparent text-soft hover:bg-hover hover:text-text active:bg-pressed',
  danger: 'border border-transparent bg-danger text-on-danger hover:bg-danger-strong',
  'danger-quiet': 'border border-transparent text-danger-text hover:bg-danger-ground',
};

/** Triggers of popovers and menus handle `disabled` themselves. */
const OFF =
  'aria-disabled:cursor-not-allowed aria-disabled:opacity-50 disabled:cursor-not-allowed disabled:opacity-50';

const BASE =
  'inline-flex shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap rounded-lg font-medium ' +
  `${OFF} max-md:min-h-10`;

/** The style of a button, for links that act like one. */
export const buttonLook = (look: Look = 'plain', small = false): string =>
  cx(BASE, small ? 'h-8 px-3' : 'h-9 px-4 max-sm:px-3.5', LOOKS[look]);

interface State {
  disabled?: boolean | undefined;
  /** The action is running: the button shows it and can't be pressed again. */
  busy?: boolean | undefined;
}

const refuse = (event: MouseEvent): void => {
  event.preventDefault();
  event.stopPropagation();
};

/** The attribute `disabled` would lose the focus while an action runs. */
const off = ({ disabled, busy }: State) => ({
  ...(busy ? { 'aria-busy': true } : {}),
  ...(disabled || busy ? { 'aria-disabled': true, onClick: refuse } : {}),
});

interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled'>, State {
  look?: Look;
  small?: boolean;
  icon?: ReactNode;
}

/** A button; while `busy` it can't be pressed and says so. */
export function Button({
  look = 'plain',
  small = false,
  icon,
  disabled,
  busy,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      {...off({ disabled, busy })}
      className={cx(buttonLook(look, small), className)}
    >
      {icon}
      {children}
    </button>
  );
}

const ICON_BASE = `inline-flex shrink-0 select-none items-center justify-center rounded-lg ${OFF}`;

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'disabled'>, State {
  /** The accessible name, also shown as a tip. */
  label: string;
  shortcut?: string;
  look?: Look;
  /** Within a line of text. */
  small?: boolean;
}

/** A button with only an icon, 32 px; its name shows on hover and focus. */
export function IconButton({
  label,
  shortcut,
  look = 'quiet',
  small = false,
  disabled,
  busy,
  className,
  ...rest
}: IconButtonProps) {
  return (
    <Tip text={label} {...(shortcut ? { shortcut } : {})}>
      <button
        type="button"
        aria-label={label}
        {...rest}
        {...off({ disabled, busy })}
        className={cx(ICON_BASE, LOOKS[look], small ? 'size-6' : 'size-8 max-md:size-10', className)}
      />
    </Tip>
  );
}
