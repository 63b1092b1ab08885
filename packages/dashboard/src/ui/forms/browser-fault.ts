import { useState } from 'react';
import { wordsAreThere } from '../../language.ts';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
interface ControlEvent {
  currentTarget: Control;
  preventDefault(): void;
}

/** In the agent's language, or if the phrases can't be loaded, in the browser's. */
async function sentenceOf(control: Control): Promise<string> {
  try {
    const { fieldSentence } = await import('../../errors/error-words.ts');
    await wordsAreThere();
    return fieldSentence(control);
  } catch {
    return control.validationMessage;
  }
}

/**
 * Shows errors of the browser's form validation below the field, like any other error, instead of in a bubble that
 * covers the next field. Focuses the first invalid field.
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
        void sentenceOf(control).then(setFault);
      },
      onInput: () => setFault(undefined),
    },
  };
}
