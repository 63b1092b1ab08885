import { Menu as Base } from '@base-ui/react/menu';
import { Check, MoreHorizontal } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { IconButton } from './Button.tsx';
import { cx } from './classes.ts';
import { Keys } from './Tip.tsx';

interface MenuItem {
  label: string;
  icon?: ReactNode;
  shortcut?: string;
  danger?: boolean;
  onSelect: () => void;
}

interface MenuChoice {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}

interface MenuProps {
  label: string;
  items: (MenuItem | false | null | undefined)[];
  trigger?: ReactElement;
  disabled?: boolean;
  side?: 'top' | 'bottom';
  /** The edge of the trigger with which it aligns. */
  align?: 'start' | 'end';
  head?: ReactNode;
  /** A group of options above the actions. */
  choice?: MenuChoice | undefined;
}

const ITEM =
  'flex h-8 cursor-default items-center gap-2 rounded-md px-2 outline-none data-highlighted:bg-hover [&_svg]:size-4 max-md:h-11';

/** A menu of actions; nothing where there are none. */
export function Menu({
  label,
  items,
  trigger,
  disabled = false,
  side = 'bottom',
  align = 'end',
  head,
  choice,
}: MenuProps) {
  if (!choice && !items.some(Boolean)) return null;
  return (
    <Base.Root>
      <Base.Trigger
        disabled={disabled}
        render={
          trigger ?? (
            <IconButton label={label}>
              <MoreHorizontal aria-hidden className="size-4" />
            </IconButton>
          )
        }
      />
      <Base.Portal>
        <Base.Positioner side={side} align={align} sideOffset={4} className="z-50">
          <Base.Popup className="appear max-h-[var(--available-height)] min-w-48 max-w-72 overflow-y-auto rounded-lg bg-raised p-1 shadow-float outline-none">
            {head}
            {choice ? <Choice {...choice} /> : null}
            {items.map((item) =>
              item ? (
                <Base.Item
                  key={item.label}
                  onClick={item.onSelect}
                  className={cx(ITEM, item.danger && 'text-danger-text')}
                >
                  {item.icon}
                  <span className="flex-1 truncate">{item.label}</span>
                  {item.shortcut ? <Keys keys={item.shortcut} /> : null}
                </Base.Item>
              ) : null,
            )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

function Choice({ label, value, options, onChange }: MenuChoice) {
  return (
    <Base.RadioGroup
      aria-label={label}
      value={value}
      onValueChange={onChange}
      className="border-line not-last:mb-1 not-last:border-b not-last:pb-1"
    >
      {options.map((option) => (
        <Base.RadioItem key={option.value} value={option.value} closeOnClick className={ITEM}>
          <span className="flex-1 truncate">{option.label}</span>
          <Base.RadioItemIndicator>
            <Check aria-hidden />
          </Base.RadioItemIndicator>
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  );
}
