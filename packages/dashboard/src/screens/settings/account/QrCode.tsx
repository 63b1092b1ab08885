import encodeQR from 'qr';

const SIZE_PX = 200;
/** The margin that the standard requires, in modules. */
const MARGIN = 4;

/** Dark on white in every theme: not every camera reads the inverse. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const rows = encodeQR(text, 'raw', { border: MARGIN, ecc: 'medium' });
  const path = rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      role="img"
      aria-label={label}
      width={SIZE_PX}
      height={SIZE_PX}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
      className="scheme-light max-w-full rounded-lg border bg-surface text-text"
    >
      <path d={path} fill="currentColor" />
    </svg>
  );
}
