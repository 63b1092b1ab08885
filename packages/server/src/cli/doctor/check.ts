/** `warning`: works, but somebody should look; `wrong`: does not work. */
export type State = 'ok' | 'warning' | 'wrong';

export interface Check {
  name: string;
  state: State;
  message: string;
}

export const ok = (name: string, message: string): Check => ({ name, state: 'ok', message });
export const warning = (name: string, message: string): Check => ({ name, state: 'warning', message });
export const wrong = (name: string, message: string): Check => ({ name, state: 'wrong', message });
