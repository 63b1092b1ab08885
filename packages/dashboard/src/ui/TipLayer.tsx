import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Keys } from './Tip.tsx';

const OPENS_AFTER_MS = 500;
/** The pointer's way from the control over the gap onto the tip itself. */
const CLOSES_AFTER_MS = 100;
const GAP_PX = 6;
const EDGE_PX = 8;

/** A line whose end has no room. */
const cutLine = (line: HTMLElement | null): HTMLElement | null =>
  line && line.clientWidth > 1 && line.scrollWidth > line.clientWidth && !line.title ? line : null;

/** The tips of all controls, and the whole of each line that is cut: one at a time, so that none carries one along. */
export function TipLayer() {
  const [owner, setOwner] = useState<HTMLElement | null>(null);
  const tip = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (next: HTMLElement | null, afterMs: number): void => {
      clearTimeout(timer);
      timer = setTimeout(() => setOwner(next), afterMs);
    };
    const hide = (): void => show(null, 0);
    const ownerOf = (target: EventTarget | null): HTMLElement | null => {
      if (!(target instanceof Element)) return null;
      return target.closest<HTMLElement>('[data-tip]') ?? cutLine(target.closest<HTMLElement>('.truncate'));
    };
    const hover = ({ target, pointerType }: PointerEvent): void => {
      if (pointerType === 'touch') return;
      const next = ownerOf(target);
      if (target instanceof Node && tip.current?.contains(target)) clearTimeout(timer);
      else show(next, next ? OPENS_AFTER_MS : CLOSES_AFTER_MS);
    };
    const focus = ({ target }: FocusEvent): void => {
      const focused = target instanceof Element && target.matches(':focus-visible') ? target : null;
      const lines = Array.from(focused?.querySelectorAll<HTMLElement>('.truncate') ?? []);
      show(ownerOf(focused) ?? lines.find(cutLine) ?? null, 0);
    };
    const press = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') hide();
    };
    const ends = new AbortController();
    const options = { signal: ends.signal, capture: true, passive: true };
    document.addEventListener('pointerover', hover, options);
    document.addEventListener('pointerleave', hide, options);
    document.addEventListener('pointerdown', hide, options);
    document.addEventListener('focusin', focus, options);
    document.addEventListener('focusout', hide, options);
    document.addEventListener('keydown', press, options);
    document.addEventListener('scroll', hide, options);
    return () => {
      ends.abort();
      clearTimeout(timer);
    };
  }, []);
  useLayoutEffect(() => {
    if (!owner || !tip.current) return;
    const { style, offsetWidth, offsetHeight } = tip.current;
    const { left, width, top, bottom } = owner.getBoundingClientRect();
    const room = innerWidth - offsetWidth - EDGE_PX;
    const below = bottom + GAP_PX;
    style.left = `${Math.max(EDGE_PX, Math.min(left + (width - offsetWidth) / 2, room))}px`;
    style.top = `${below + offsetHeight > innerHeight ? top - GAP_PX - offsetHeight : below}px`;
  }, [owner]);
  if (!owner?.isConnected) return null;
  const { tip: text = owner.textContent, tipKeys } = owner.dataset;
  return (
    <div
      ref={tip}
      role="tooltip"
      className="fixed z-50 flex w-max max-w-72 items-center gap-2 rounded-md bg-raised px-2 py-1 text-text text-xs shadow-float"
    >
      <span dir="auto" className="wrap-anywhere line-clamp-12 min-w-0">
        {text}
      </span>
      {tipKeys ? <Keys keys={tipKeys} /> : null}
    </div>
  );
}
