import { t } from '../t.ts';

/** What the list hears a click on: the box, and the row's face below it. */
export const isSelectBox = (target: EventTarget): boolean =>
  target instanceof Element && target.matches('.row-box, .row-face, .row-face *');

/** Over the row's face, on hover and focus and while anything is selected; where nothing hovers a tap on the face finds it. */
export const SelectBox = ({ name, isSelected }: { name: string; isSelected: boolean }) => (
  <input
    type="checkbox"
    aria-label={t('select', { name })}
    checked={isSelected}
    onChange={() => undefined}
    className="row-box"
  />
);
