import { t } from '../t.ts';

/** What counts as clicking the box: the box, and the row's avatar below it. */
export const isSelectBox = (target: EventTarget): boolean =>
  target instanceof Element && target.matches('.row-box, .row-face, .row-face *');

/**
 * Covers the row's avatar on hover and focus, and while anything is selected. On touch screens, tapping the avatar
 * selects.
 */
export const SelectBox = ({ name, isSelected }: { name: string; isSelected: boolean }) => (
  <input
    type="checkbox"
    aria-label={t('select', { name })}
    checked={isSelected}
    onChange={() => undefined}
    className="row-box"
  />
);
