interface WakeableTimer {
  /** Ends the current sleep, or the next one if there is none, so that no wake is lost. */
  wake(): void;
  sleep(ms: number): Promise<void>;
}

/** For one sleeper at a time. Several wakes before a sleep end only that one. */
export function createWakeableTimer(): WakeableTimer {
  let woken = false;
  let interrupt: () => void = () => undefined;
  return {
    wake() {
      woken = true;
      interrupt();
    },
    async sleep(ms) {
      if (!woken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          interrupt = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      woken = false;
    },
  };
}
