/** Without a touch for this long an agent counts as away. */
const IDLE_AFTER_MS = 10 * 60_000;
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

/** Tells when nobody has touched the page for a while, and when somebody does again; the answer ends it. */
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
