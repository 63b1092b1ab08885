import { Switch } from '@base-ui/react/switch';
import { type ReactNode, useId } from 'react';

interface ToggleProps {
  label: string;
  hint?: ReactNode;
  /** The label is only for screen readers, because the switch's position explains it. */
  bare?: boolean;
  on: boolean;
  disabled?: boolean;
  /** The change is being saved: it can't be switched again, and keeps the focus. */
  busy?: boolean;
  onChange: (on: boolean) => void;
}

/** A switch that takes effect immediately. */
export function Toggle({ label, hint, bare = false, on, disabled, busy, onChange }: ToggleProps) {
  const id = useId();
  return (
    <div className="flex items-start justify-between gap-4">
      <div className={bare ? 'sr-only' : 'min-w-0'}>
        <p id={id} className="font-medium">
          {label}
        </p>
        {hint ? <p className="wrap-anywhere text-soft">{hint}</p> : null}
      </div>
      <Switch.Root
        aria-labelledby={id}
        checked={on}
        disabled={disabled ?? false}
        readOnly={busy ?? false}
        onCheckedChange={onChange}
        className="relative h-5 w-9 shrink-0 rounded-full bg-control p-0.5 forced-color-adjust-none data-disabled:opacity-50 data-checked:bg-accent"
      >
        <Switch.Thumb className="block size-4 rounded-full bg-surface data-checked:translate-x-4" />
      </Switch.Root>
    </div>
  );
}
