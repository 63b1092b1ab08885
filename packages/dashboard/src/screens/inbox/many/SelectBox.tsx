import { cx } from '../../../ui/classes.ts';
import { t } from './t.ts';

interface SelectBoxProps {
  name: string;
  isSelected: boolean;
  /** While anything is selected all boxes show. */
  isSelecting: boolean;
}

/** What the list hears a click on. */
export const isSelectBox = (target: EventTarget): boolean => target instanceof HTMLInputElement;

/** Over the row's face, on hover and focus; where nothing hovers a tap on the face finds it. */
export function SelectBox({ name, isSelected, isSelecting }: SelectBoxProps) {
  return (
    <span
      className={cx(
        'absolute start-4 top-2.5 flex size-8 items-center justify-center rounded-lg border border-line-strong bg-surface focus-within:opacity-100 group-hover:opacity-100',
        !(isSelected || isSelecting) && 'opacity-0',
      )}
    >
      <input
        type="checkbox"
        aria-label={t('select', { name })}
        checked={isSelected}
        onChange={() => undefined}
        className="size-4 accent-accent after:absolute after:-inset-1.5"
      />
    </span>
  );
}
