const said: Record<string, 1> = {};

/** Warns the page's developer in the console, once per text. */
export const warn = (text: string): void => {
  if (!said[text]) console.warn(`[svc] ${text}`);
  said[text] = 1;
};

/** Wraps a function so that its exceptions become warnings instead of errors in the page. */
export const guard =
  <T extends unknown[]>(run: (...args: T) => void) =>
  (...args: T): void => {
    try {
      run(...args);
    } catch (error) {
      try {
        warn(`${error}`);
      } catch {
        // The page may have replaced the console.
      }
    }
  };

/** Adds a guarded listener; without a target, as in a browser that lacks the API, it does nothing. */
export const listen = <E extends Event>(
  target: EventTarget | undefined,
  type: string,
  run: (event: E) => void,
): void => target?.addEventListener(type, guard(run) as (event: Event) => void);

/** True for arrays and dates too; false for null and functions. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
