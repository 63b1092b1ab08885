import { dayLong, dayShort, type Point } from './figures.ts';

/** What a part of a bar is drawn in; a word beside each says what it is. */
const INKS = ['fill-accent', 'fill-control', 'fill-warn-dot'] as const;
const SWATCHES = ['bg-accent', 'bg-control', 'bg-warn-dot'] as const;

const TALL = 100;
const GAP = 0.2;

interface DayChartProps {
  points: readonly Point[];
  /** The names of the parts, from the ground up. */
  series: readonly string[];
  /** What the picture shows, for those who don't see it. */
  label: string;
  /** What a bar is, where the title does not say it. */
  caption: string;
  /** The highest there can be; left out: the highest that there is. */
  top?: number;
  /** How a value is written. */
  say: (value: number) => string;
}

const sumOf = ({ parts }: Point): number => parts.reduce((sum, part) => sum + part, 0);

/** A bar a day, its parts on each other. */
export function DayChart({ points, series, label, caption, top, say }: DayChartProps) {
  const most = top ?? Math.max(...points.map(sumOf), 0);
  const title = ({ day, parts }: Point): string =>
    [dayLong(day), ...series.map((name, at) => `${name}: ${say(parts[at] ?? 0)}`)].join('\n');
  const [first, last] = [points[0], points.at(-1)];
  return (
    <div>
      <p
        aria-hidden
        className="tabular flex justify-between border-b border-dashed pb-0.5 text-faint text-xs"
      >
        <span>{caption}</span>
        <span>{say(most)}</span>
      </p>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${points.length} ${TALL}`}
        preserveAspectRatio="none"
        className="block h-36 w-full border-b"
      >
        {points.map((point, at) => (
          <DayBar key={point.day} point={point} at={at} most={most} title={title(point)} />
        ))}
      </svg>
      <div aria-hidden className="tabular mt-1 flex justify-between text-faint text-xs">
        <span>{first ? dayShort(first.day) : ''}</span>
        <span>{last && points.length > 1 ? dayShort(last.day) : ''}</span>
      </div>
      {series.length > 1 ? <Legend names={series} /> : null}
    </div>
  );
}

interface DayBarProps {
  point: Point;
  at: number;
  most: number;
  title: string;
}

function DayBar({ point, at, most, title }: DayBarProps) {
  let ground = TALL;
  return (
    <g className="group/bar">
      <title>{title}</title>
      <rect x={at} y={0} width={1} height={TALL} className="fill-transparent group-hover/bar:fill-hover" />
      {point.parts.map((part, place) => {
        const height = most === 0 ? 0 : (part / most) * TALL;
        ground -= height;
        return height === 0 ? null : (
          <rect
            key={INKS[place]}
            x={at + GAP / 2}
            y={ground}
            width={1 - GAP}
            height={height}
            className={INKS[place]}
          />
        );
      })}
    </g>
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
