import type { Point } from './figures.ts';
import { INKS } from './inks.ts';

const TALL = 100;
const GAP = 0.2;

interface BarsProps {
  points: readonly Point[];
  /** The upper end of the axis. */
  top: number;
  label: string;
  /** The highlighted bar. */
  active: number | undefined;
}

/** A stacked bar for each point. */
export function Bars({ points, top, label, active }: BarsProps) {
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${points.length} ${TALL}`}
      preserveAspectRatio="none"
      className="absolute inset-0 block size-full"
    >
      {active === undefined ? null : (
        <rect x={active} y={0} width={1} height={TALL} className="fill-pressed" />
      )}
      {points.map(({ day, parts }, at) => (
        <Bar key={day} parts={parts} at={at} top={top} />
      ))}
    </svg>
  );
}

function Bar({ parts, at, top }: { parts: Point['parts']; at: number; top: number }) {
  let ground = TALL;
  return parts.map((part, place) => {
    const height = ((part ?? 0) / top) * TALL;
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
  });
}
