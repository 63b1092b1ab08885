import { cx } from '../../../ui/classes.ts';
import { SWATCHES } from './inks.ts';

interface PointTipProps {
  /** The point's position, from 0 at the start to 1 at the end. */
  at: number;
  name: string;
  series: readonly string[];
  values: readonly string[];
  /** What a click does. */
  hint?: string | undefined;
}

/** This close to an edge, a centred tooltip would overflow. */
const EDGE = 0.2;

/** The values of the highlighted point, above it. */
export function PointTip({ at, name, series, values, hint }: PointTipProps) {
  return (
    <div
      data-point-tip
      aria-hidden
      className={cx(
        'pointer-events-none absolute bottom-full z-10 mb-1 rounded-md border bg-raised px-3 py-2 text-xs shadow-float',
        at < EDGE ? '-translate-x-4' : at > 1 - EDGE ? '-translate-x-[calc(100%-1rem)]' : '-translate-x-1/2',
      )}
      style={{ insetInlineStart: `${at * 100}%` }}
    >
      <p className="whitespace-nowrap font-medium">{name}</p>
      <ul className="mt-1 space-y-0.5">
        {series.map((one, place) => (
          <li key={one} className="flex items-center gap-1.5 whitespace-nowrap">
            <i aria-hidden className={`size-2 rounded-xs forced-color-adjust-none ${SWATCHES[place]}`} />
            <span className="text-soft">{one}</span>
            <span className="tabular ms-auto ps-3 font-medium">{values[place]}</span>
          </li>
        ))}
      </ul>
      {hint ? <p className="mt-1.5 text-faint">{hint}</p> : null}
    </div>
  );
}
