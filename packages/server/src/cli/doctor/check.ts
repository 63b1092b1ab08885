/** `warning`: works, but somebody should look; `wrong`: doesn't work. */
export type State = 'ok' | 'warning' | 'wrong';

export interface Check {
  name: string;
  state: State;
  message: string;
}

/** A passed check; the message says what was found. */
export const ok = (name: string, message: string): Check => ({ name, state: 'ok', message });
/** A check that should be looked at but doesn't make the doctor fail. */
export const warning = (name: string, message: string): Check => ({ name, state: 'warning', message });
/** A failed check, with which the doctor exits with 1. */
export const wrong = (name: string, message: string): Check => ({ name, state: 'wrong', message });
