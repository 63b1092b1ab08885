/** An agent counts as away after this long without input. */
const IDLE_AFTER_MS = 10 * 60_000;
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

/** Reports when the page has been idle for a while, and when it is used again. Returns a function that stops it. */
export function watchIdle(onChange: (idle: boolean) => void): () => void {
  let idle = false;
  let touchedAt = Date.now();
  const check = (): void => {
    const left = touchedAt + IDLE_AFTER_MS - Date.now();
    if (left > 0) timer = setTimeout(check, left);
    else {
      idle = true;
      onChange(true);
    }
  };
  let timer = setTimeout(check, IDLE_AFTER_MS);
  const touch = (): void => {
    touchedAt = Date.now();
    if (!idle) return;
    idle = false;
    onChange(false);
    timer = setTimeout(check, IDLE_AFTER_MS);
  };
  for (const sign of SIGNS) addEventListener(sign, touch, { passive: true, capture: true });
  return () => {
    clearTimeout(timer);
    for (const sign of SIGNS) removeEventListener(sign, touch, { capture: true });
  };
}
