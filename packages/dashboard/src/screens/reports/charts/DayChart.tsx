import { type MouseEvent, useState } from 'react';
import { t } from '../t.ts';
import { Bars } from './Bars.tsx';
import { dayShort, type Point } from './figures.ts';
import { SWATCHES } from './inks.ts';
import { PointTip } from './PointTip.tsx';
import { labelledBars } from './ticks.ts';
import { useWidth } from './use-width.ts';

interface DayChartProps {
  points: readonly Point[];
  /** The names of the parts, from the bottom up. */
  series: readonly string[];
  /** A text alternative for the chart. */
  label: string;
  /** What a bar stands for, if the title doesn't say it. */
  caption: string;
  /** The axis lines up to the highest value, starting at zero. */
  ticks: (most: number) => number[];
  /** Formats a value. */
  say: (value: number) => string;
  /** The name of a point. */
  nameOf: (day: string) => string;
  /** Called on click or Enter: opens what is behind the bar. */
  onOpen?: (day: string) => void;
}

const sumOf = ({ parts }: Point): number => parts.reduce<number>((sum, part) => sum + (part ?? 0), 0);

/** Bars over days with an axis. Pointer and arrow keys move between bars and show their values. */
export function DayChart({ points, series, label, caption, ticks, say, nameOf, onOpen }: DayChartProps) {
  const [active, setActive] = useState<number>();
  const lines = ticks(Math.max(...points.map(sumOf), 0));
  const top = lines.at(-1) ?? 1;
  const written = (part: number | null | undefined): string => (part == null ? '—' : say(part));
  const point = active === undefined ? undefined : points[active];
  const values = (point ?? points.at(-1))?.parts.map(written) ?? [];
  const spoken = [
    nameOf((point ?? points.at(-1))?.day ?? ''),
    ...series.map((name, at) => `${name}: ${values[at]}`),
  ];
  return (
    <div>
      <p aria-hidden className="mb-3 text-faint text-xs">
        {caption}
      </p>
      <div className="grid grid-cols-[auto_1fr] gap-x-2">
        <Axis lines={lines} top={top} say={say} />
        <Plot
          lines={lines}
          top={top}
          count={points.length}
          onActive={setActive}
          onOpen={onOpen && ((at) => onOpen(points[at]?.day ?? ''))}
        >
          <Bars points={points} top={top} label={label} active={active} />
          <input
            type="range"
            aria-label={caption}
            aria-valuetext={spoken.join(', ')}
            min={0}
            max={Math.max(0, points.length - 1)}
            value={active ?? points.length - 1}
            className="sr-only"
            onChange={({ target }) => setActive(Number(target.value))}
            onFocus={({ target }) => target.matches(':focus-visible') && setActive(points.length - 1)}
            onBlur={() => setActive(undefined)}
            onKeyDown={({ key }) => {
              if (key === 'Escape') setActive(undefined);
              if (key === 'Enter' && point) onOpen?.(point.day);
            }}
          />
          {point && active !== undefined ? (
            <PointTip
              at={(active + 0.5) / points.length}
              name={nameOf(point.day)}
              series={series}
              values={values}
              hint={onOpen && t('open_hint')}
            />
          ) : null}
        </Plot>
        <Days points={points} />
      </div>
      {series.length > 1 ? <Legend names={series} /> : null}
    </div>
  );
}

/** The values of the lines; the widest determines the width. */
function Axis({
  lines,
  top,
  say,
}: {
  lines: readonly number[];
  top: number;
  say: (value: number) => string;
}) {
  return (
    <div aria-hidden className="tabular relative text-end text-faint text-xs">
      {lines.map((line) => (
        <span key={line} className="block h-0 overflow-hidden whitespace-nowrap">
          {say(line)}
        </span>
      ))}
      {lines.map((line) => (
        <span
          key={line}
          className="-translate-y-1/2 absolute end-0 whitespace-nowrap"
          style={{ top: `${100 - (line / top) * 100}%` }}
        >
          {say(line)}
        </span>
      ))}
    </div>
  );
}

interface PlotProps {
  lines: readonly number[];
  top: number;
  count: number;
  onActive: (active: number | undefined) => void;
  onOpen: ((at: number) => void) | undefined;
  children: React.ReactNode;
}

/** The chart's area with its lines; reports the bar under the pointer. */
function Plot({ lines, top, count, onActive, onOpen, children }: PlotProps) {
  const barAt = ({ currentTarget, clientX }: MouseEvent<HTMLElement>): number => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const at = Math.floor(((clientX - left) / width) * count);
    return Math.min(Math.max(at, 0), count - 1);
  };
  const point = (event: MouseEvent<HTMLElement>): void => onActive(barAt(event));
  return (
    <div
      className="relative h-40 touch-pan-y rounded-xs has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2"
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={() => onActive(undefined)}
    >
      {lines.map((line) => (
        <i
          key={line}
          aria-hidden
          className={
            line === 0 ? 'absolute inset-x-0 border-line-strong border-t' : 'absolute inset-x-0 border-t'
          }
          style={{ top: `${100 - (line / top) * 100}%` }}
        />
      ))}
      {children}
      {/* For the pointer alone: keys reach the bars by the slider. */}
      {onOpen ? (
        <button
          type="button"
          aria-hidden
          tabIndex={-1}
          className="absolute inset-0 cursor-pointer"
          onClick={(event) => onOpen(barAt(event))}
        />
      ) : null}
    </div>
  );
}

/** As many dates below the bars as fit. */
function Days({ points }: { points: readonly Point[] }) {
  const [ref, width] = useWidth<HTMLDivElement>();
  return (
    <div ref={ref} aria-hidden className="tabular relative col-start-2 mt-1.5 h-4 text-faint text-xs">
      {labelledBars(points.length, width).map((at) => (
        <span
          key={at}
          className="-translate-x-1/2 absolute whitespace-nowrap"
          style={{ insetInlineStart: `${((at + 0.5) / points.length) * 100}%` }}
        >
          {dayShort(points[at]?.day ?? '')}
        </span>
      ))}
    </div>
  );
}

function Legend({ names }: { names: readonly string[] }) {
  return (
    <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-soft text-xs">
      {names.map((name, at) => (
        <li key={name} className="flex items-center gap-1.5">
          <i aria-hidden className={`size-2 rounded-xs forced-color-adjust-none ${SWATCHES[at]}`} />
          {name}
        </li>
      ))}
    </ul>
  );
}
