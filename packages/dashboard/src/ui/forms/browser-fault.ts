import { useState } from 'react';
import { wordsAreThere } from '../../language.ts';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
interface ControlEvent {
  currentTarget: Control;
  preventDefault(): void;
}

/** In the agent's language; where its words can't be fetched, in the browser's. */
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
        void sentenceOf(control).then(setFault);
      },
      onInput: () => setFault(undefined),
    },
  };
}
