interface WakeableTimer {
  /** Ends the sleep, or the next one if none is under way, so no wake is lost. */
  wake(): void;
  sleep(ms: number): Promise<void>;
}

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
