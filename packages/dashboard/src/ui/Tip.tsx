import { Tooltip } from '@base-ui/react/tooltip';
import type { ReactElement } from 'react';

/** The keys of a shortcut, as they are on the keyboard. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span className="inline-flex gap-1">
      {keys.split(' ').map((key) => (
        <kbd
          key={key}
          className="min-w-5 rounded-sm border border-line-strong bg-surface px-1 text-center font-sans text-soft text-xs"
        >
          {key}
        </kbd>
      ))}
    </span>
  );
}

/** Says what a control does, and its shortcut, on hover and focus. */
export function Tip({
  text,
  shortcut,
  children,
}: {
  text: string;
  shortcut?: string;
  children: ReactElement;
}) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger render={children} />
      <Tooltip.Portal>
        <Tooltip.Positioner sideOffset={6} className="z-50">
          <Tooltip.Popup className="flex max-w-72 items-center gap-2 rounded-md bg-raised px-2 py-1 text-text text-xs shadow-float">
            {text}
            {shortcut ? <Keys keys={shortcut} /> : null}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
