import { cx } from '../../../ui/classes.ts';
import { t } from './t.ts';

interface SelectBoxProps {
  name: string;
  isSelected: boolean;
  /** While anything is selected all boxes show. */
  isSelecting: boolean;
  onPick: (withShift: boolean) => void;
}

/** Over the row's face, on hover and focus; where nothing hovers a tap on the face finds it. */
export function SelectBox({ name, isSelected, isSelecting, onPick }: SelectBoxProps) {
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
        onClick={(event) => onPick(event.shiftKey)}
        className="size-4 accent-accent after:absolute after:-inset-1.5"
      />
    </span>
  );
}
