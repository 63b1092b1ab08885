import { ChevronDown } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { tCommon } from '../../t-common.ts';
import { cx } from '../classes.ts';
import { useBrowserFault } from './browser-fault.ts';

const BOX =
  'w-full min-w-0 rounded-lg border border-line-strong bg-field px-3 text-text hover:border-control ' +
  'focus:border-accent focus:outline-none focus-visible:outline-2 focus-visible:outline-accent focus-visible:-outline-offset-1 ' +
  'aria-invalid:border-danger disabled:cursor-not-allowed disabled:text-faint max-md:text-[16px]';

interface FrameProps {
  label: string;
  hint?: ReactNode;
  /** The error, worded to follow the label: `must be an address`. */
  error?: string | undefined;
  /** The error as a complete sentence. */
  fault?: string | undefined;
  /** The label is only for screen readers, because the field's position explains it. */
  bare?: boolean | undefined;
  /** The label is beside the field instead of above it, for short fields in a column. */
  beside?: boolean | undefined;
  className?: string | undefined;
}

type Heed = ReturnType<typeof useBrowserFault>['heed'];

interface Ids {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  onInvalid: Heed['onInvalid'];
  onInput: Heed['onInput'];
}

function Frame({
  label,
  hint,
  error,
  fault: known = error && tCommon('field_wrong', { label, problem: error }),
  bare,
  beside,
  className,
  children,
}: FrameProps & { children: (ids: Ids) => ReactNode }) {
  const id = useId();
  const browser = useBrowserFault();
  const fault = known ?? browser.fault;
  const said = fault ? `${id}-e` : hint ? `${id}-h` : undefined;
  return (
    <div className={cx('min-w-0', beside && 'grid grid-cols-[5.5rem_1fr] items-center', className)}>
      <label
        htmlFor={id}
        className={bare ? 'sr-only' : beside ? 'truncate text-soft' : 'mb-1 block font-medium'}
      >
        {label}
      </label>
      {children({ id, 'aria-describedby': said, 'aria-invalid': fault ? true : undefined, ...browser.heed })}
      {fault ? (
        <p id={`${id}-e`} className="mt-1 text-danger-text">
          {fault}
        </p>
      ) : hint ? (
        <p id={`${id}-h`} className="mt-1 text-soft">
          {hint}
        </p>
      ) : null}
    </div>
  );
}

type Own = Omit<FrameProps, 'className'> & { frame?: string };

/** A labelled input with its hint or error below. */
export function TextField({
  label,
  hint,
  error,
  fault,
  bare,
  frame,
  className,
  ...rest
}: Own & ComponentProps<'input'>) {
  return (
    <Frame label={label} hint={hint} error={error} fault={fault} bare={bare} className={frame}>
      {(ids) => <input dir="auto" {...ids} {...rest} className={cx(BOX, 'h-9 max-md:h-11', className)} />}
    </Frame>
  );
}

/** A labelled text box with its hint or error below. */
export function TextArea({
  label,
  hint,
  error,
  fault,
  bare,
  frame,
  className,
  ...rest
}: Own & ComponentProps<'textarea'>) {
  return (
    <Frame label={label} hint={hint} error={error} fault={fault} bare={bare} className={frame}>
      {(ids) => (
        <textarea dir="auto" rows={3} {...ids} {...rest} className={cx(BOX, 'block py-2', className)} />
      )}
    </Frame>
  );
}

interface SelectProps extends Omit<ComponentProps<'select'>, 'children'> {
  options: readonly { value: string | number; label: string | number; disabled?: boolean }[];
  /** The label of the first option, without a value. */
  any?: string;
}

/** A labelled choice with its hint or error below. */
export function SelectField({
  label,
  hint,
  error,
  fault,
  bare,
  beside,
  frame,
  className,
  options,
  any,
  ...rest
}: Own & SelectProps) {
  return (
    <Frame
      label={label}
      hint={hint}
      error={error}
      fault={fault}
      bare={bare}
      beside={beside}
      className={frame}
    >
      {(ids) => (
        <span className="relative block">
          <select
            {...ids}
            {...rest}
            className={cx(BOX, 'h-9 appearance-none text-ellipsis pe-8 max-md:h-11', className)}
          >
            {any === undefined ? null : <option value="">{any}</option>}
            {options.map((one) => (
              <option key={one.value} value={one.value} disabled={one.disabled}>
                {one.label}
              </option>
            ))}
          </select>
          <ChevronDown
            aria-hidden
            className="-translate-y-1/2 pointer-events-none absolute end-2 top-1/2 size-4 text-soft"
          />
        </span>
      )}
    </Frame>
  );
}

/** A checkbox with its label and hint. */
export function CheckField({
  label,
  hint,
  className,
  ...rest
}: { label: ReactNode; hint?: ReactNode } & ComponentProps<'input'>) {
  const id = useId();
  return (
    <div className={cx('flex items-start gap-3', className)}>
      <input
        id={id}
        type="checkbox"
        aria-describedby={hint ? `${id}-h` : undefined}
        {...rest}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <div className="min-w-0">
        <label htmlFor={id}>{label}</label>
        {hint ? (
          <p id={`${id}-h`} className="text-soft">
            {hint}
          </p>
        ) : null}
      </div>
    </div>
  );
}
