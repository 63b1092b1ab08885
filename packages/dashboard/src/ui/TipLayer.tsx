import {
  type Dispatch,
  type RefObject,
  type SetStateAction,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Keys } from './Tip.tsx';

const OPENS_AFTER_MS = 500;
/** Time for the pointer to move from the control over the gap onto the tip. */
const CLOSES_AFTER_MS = 100;
const GAP_PX = 6;
const EDGE_PX = 8;

/** A line whose end is cut off. */
const cutLine = (line: HTMLElement | null): HTMLElement | null =>
  line && line.clientWidth > 1 && line.scrollWidth > line.clientWidth && !line.title ? line : null;

const ownerOf = (target: Element): HTMLElement | null =>
  target.closest<HTMLElement>('[data-tip]') ?? cutLine(target.closest<HTMLElement>('.truncate'));

/** Watches pointer and keyboard on the whole page. @returns a function that stops it */
function watchPage(
  show: Dispatch<SetStateAction<HTMLElement | null>>,
  tip: RefObject<HTMLElement | null>,
): () => void {
  let opens: ReturnType<typeof setTimeout> | undefined;
  let closes: ReturnType<typeof setTimeout> | undefined;
  const keep = (): void => {
    clearTimeout(opens);
    clearTimeout(closes);
  };
  const hide = (): void => {
    keep();
    show(null);
  };
  const hover = ({ target, pointerType }: PointerEvent): void => {
    if (pointerType === 'touch' || !(target instanceof Element)) return;
    keep();
    if (tip.current?.contains(target)) return;
    // Checked once the pointer rests, because it forces a layout.
    opens = setTimeout(() => show(ownerOf(target)), OPENS_AFTER_MS);
    closes = setTimeout(() => show((shown) => (shown?.contains(target) ? shown : null)), CLOSES_AFTER_MS);
  };
  const focus = ({ target }: FocusEvent): void => {
    const focused = target instanceof Element && target.matches(':focus-visible') ? target : null;
    const lines = Array.from(focused?.querySelectorAll<HTMLElement>('.truncate') ?? []);
    keep();
    show((focused && ownerOf(focused)) ?? lines.find(cutLine) ?? null);
  };
  const clickBelow = (event: PointerEvent): void => {
    const below = document.elementFromPoint(event.clientX, event.clientY);
    if (event.button === 0) below?.dispatchEvent(new PointerEvent('click', event));
  };
  // A tooltip may cover the next target, such as the next row of a list: a click on it is meant for that.
  const point = ({ target }: PointerEvent): void => {
    if (target instanceof Node && tip.current?.contains(target))
      document.addEventListener('pointerup', clickBelow, { ...options, once: true });
    hide();
  };
  const press = ({ key }: KeyboardEvent): void => {
    if (key === 'Escape') hide();
  };
  const ends = new AbortController();
  const options = { signal: ends.signal, capture: true, passive: true };
  document.addEventListener('pointerover', hover, options);
  document.documentElement.addEventListener('pointerleave', hide, { signal: ends.signal });
  document.addEventListener('pointerdown', point, options);
  document.addEventListener('focusin', focus, options);
  document.addEventListener('focusout', hide, options);
  document.addEventListener('keydown', press, options);
  document.addEventListener('scroll', hide, options);
  return () => {
    ends.abort();
    keep();
  };
}

/** Tooltips of all controls, and of truncated lines in full: one layer for all, so that no control renders its own. */
export function TipLayer() {
  const [owner, setOwner] = useState<HTMLElement | null>(null);
  const tip = useRef<HTMLDivElement>(null);
  useEffect(() => watchPage(setOwner, tip), []);
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
