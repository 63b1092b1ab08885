import type { ComponentProps, ReactNode } from 'react';
import { cx } from './classes.ts';
import { Tip } from './Tip.tsx';

type Look = 'primary' | 'plain' | 'quiet' | 'danger' | 'danger-quiet';

const LOOKS: Record<Look, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong',
  plain: 'border border-line-strong bg-field text-text hover:bg-hover active:bg-pressed',
  quiet: 'text-soft hover:bg-hover hover:text-text active:bg-pressed',
  danger: 'bg-danger text-on-danger hover:bg-danger-strong',
  'danger-quiet': 'text-danger-text hover:bg-danger-ground',
};

const BASE =
  'inline-flex shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap rounded-lg font-medium ' +
  'disabled:cursor-not-allowed disabled:opacity-50 max-md:min-h-10';

/** The look of a button, for links that act like one. */
export const buttonLook = (look: Look = 'plain', small = false): string =>
  cx(BASE, small ? 'h-8 px-3' : 'h-9 px-4 max-sm:px-3.5', LOOKS[look]);

export interface ButtonProps extends ComponentProps<'button'> {
  look?: Look;
  small?: boolean;
  icon?: ReactNode;
  /** The work is under way: the button says so and can't be pressed again. */
  busy?: boolean;
}

export function Button({
  look = 'plain',
  small = false,
  icon,
  busy,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      disabled={rest.disabled || busy}
      className={cx(buttonLook(look, small), busy && 'animate-none', className)}
    >
      {icon}
      {children}
    </button>
  );
}

const ICON_BASE =
  'inline-flex shrink-0 select-none items-center justify-center rounded-lg disabled:cursor-not-allowed disabled:opacity-50';

export interface IconButtonProps extends ComponentProps<'button'> {
  /** The accessible name, also shown as a tip. */
  label: string;
  shortcut?: string;
  look?: Look;
  /** Within a line of text. */
  small?: boolean;
}

/** A button of one icon, 32 px; its name shows on hover and focus. */
export function IconButton({
  label,
  shortcut,
  look = 'quiet',
  small = false,
  className,
  ...rest
}: IconButtonProps) {
  return (
    <Tip text={label} {...(shortcut ? { shortcut } : {})}>
      <button
        type="button"
        aria-label={label}
        {...rest}
        className={cx(ICON_BASE, LOOKS[look], small ? 'size-6' : 'size-8 max-md:size-10', className)}
      />
    </Tip>
  );
}
