const said: Record<string, 1> = {};

/** Tells the page's developer, each thing once. */
export const warn = (text: string): void => {
  if (!said[text]) console.warn(`[svc] ${text}`);
  said[text] = 1;
};

/** Keeps our faults out of the page. */
export const guard =
  <T extends unknown[]>(run: (...args: T) => void) =>
  (...args: T): void => {
    try {
      run(...args);
    } catch (error) {
      try {
        warn(`${error}`);
      } catch {
        // A page may have put something of its own in the console's place.
      }
    }
  };

export const listen = <E extends Event>(
  target: EventTarget | undefined,
  type: string,
  run: (event: E) => void,
): void => target?.addEventListener(type, guard(run) as (event: Event) => void);

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
