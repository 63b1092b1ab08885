export interface Sleeper {
  /** Ends the sleep, or the next one if nobody sleeps: no wake is lost. */
  wake(): void;
  sleep(ms: number): Promise<void>;
}

export function createSleeper(): Sleeper {
  let woken = false;
  let rouse: () => void = () => undefined;
  return {
    wake() {
      woken = true;
      rouse();
    },
    async sleep(ms) {
      if (!woken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          rouse = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      woken = false;
    },
  };
}
