import { t } from '../t.ts';
import { ChartFrame } from './ChartFrame.tsx';
import { percentOf } from './figures.ts';
import { type Share, ShareBars } from './ShareBars.tsx';

/** Parts of a whole under a question; the greatest of them is the answer. */
export function Shares({ question, shares }: { question: string; shares: readonly Share[] }) {
  const all = shares.reduce((sum, { count }) => sum + count, 0);
  const [first] = shares.toSorted((a, b) => b.count - a.count);
  if (!first || all === 0) return null;
  return (
    <ChartFrame
      question={question}
      answer={t('share_answer', { percent: percentOf(first.count, all), name: first.name })}
    >
      <ShareBars label={question} shares={shares} />
    </ChartFrame>
  );
}
