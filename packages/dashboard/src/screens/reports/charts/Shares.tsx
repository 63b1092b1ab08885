import { t } from '../t.ts';
import { ChartFrame } from './ChartFrame.tsx';
import { percentOf } from './figures.ts';
import { type Share, ShareBars } from './ShareBars.tsx';

/** Parts of a whole with a title; the summary names the largest. */
export function Shares({ title, shares }: { title: string; shares: readonly Share[] }) {
  const all = shares.reduce((sum, { count }) => sum + count, 0);
  const [first] = shares.toSorted((a, b) => b.count - a.count);
  if (!first || all === 0) return null;
  return (
    <ChartFrame
      title={title}
      summary={t('share_summary', { percent: percentOf(first.count, all), name: first.name })}
    >
      <ShareBars label={title} shares={shares} />
    </ChartFrame>
  );
}
