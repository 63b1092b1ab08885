/** For a part without controls in a place that scrolls: where it is longer than that place, the arrows scroll it. */
export const BY_KEYBOARD = { tabIndex: 0 };
