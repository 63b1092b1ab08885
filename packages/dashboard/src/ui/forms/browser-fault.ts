import { useState } from 'react';
import { tCommon } from '../../t-common.ts';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
interface ControlEvent {
  currentTarget: Control;
  preventDefault(): void;
}

/** What the browser finds wrong, in the agent's language; what has no words here is said in the browser's. */
function wordsOf(control: Control): string {
  const { validity, type, validationMessage } = control;
  if (validity.valueMissing) return tCommon('field_missing');
  if (validity.typeMismatch && type === 'email') return tCommon('field_email');
  if (validity.typeMismatch && type === 'url') return tCommon('field_url');
  if (validity.tooShort && 'minLength' in control)
    return tCommon('field_short', { count: control.minLength });
  return validationMessage;
}

/**
 * Shows what the browser's own check of a form finds below the field, like any other error, instead of in a bubble that
 * covers the next one. The first field with a fault gets the focus.
 */
export function useBrowserFault() {
  const [fault, setFault] = useState<string>();
  return {
    fault,
    heed: {
      onInvalid(event: ControlEvent): void {
        event.preventDefault();
        const control = event.currentTarget;
        if (control.form?.querySelector(':invalid:not(fieldset)') === control) control.focus();
        setFault(wordsOf(control));
      },
      onInput(): void {
        setFault(undefined);
      },
    },
  };
}
