import { Minus, Plus } from 'lucide-react';
import { useMemo } from 'react';
import { BY_KEYBOARD } from '../../../ui/by-keyboard.ts';
import { cx } from '../../../ui/classes.ts';
import { t } from '../t.ts';
import { type DiffLine, diffLines } from './text-diff.ts';

/** Unchanged lines shown around a change. */
const AROUND = 3;

const LOOKS: Record<DiffLine['kind'], string> = {
  same: 'text-soft',
  gone: 'bg-danger-ground text-danger-text',
  new: 'bg-good-ground text-good-text',
};

/** The removed and added lines between two texts, without long unchanged parts. */
export function TextDiff({ before, after }: { before: string; after: string }) {
  const shown = useMemo(() => near(diffLines(before, after)), [before, after]);
  if (before === after) return <p className="text-soft">{t('diff_same')}</p>;
  return (
    <div {...BY_KEYBOARD} className="overflow-hidden rounded-lg border font-mono text-[13px] leading-5">
      {shown.map(({ line, at, cut }) => (
        <div key={at}>
          {cut ? <p className="border-y bg-sunken px-3 text-faint text-xs">…</p> : null}
          <p dir="auto" className={cx('wrap-anywhere flex gap-2 whitespace-pre-wrap px-3', LOOKS[line.kind])}>
            <span aria-hidden className="w-4 shrink-0 pt-1">
              {line.kind === 'gone' ? (
                <Minus className="size-3" />
              ) : line.kind === 'new' ? (
                <Plus className="size-3" />
              ) : null}
            </span>
            <span className="sr-only">{line.kind === 'same' ? '' : t(`diff_${line.kind}`)}</span>
            <span className="min-w-0">{line.text || ' '}</span>
          </p>
        </div>
      ))}
    </div>
  );
}

interface Shown {
  line: DiffLine;
  at: number;
  /** Lines are omitted before it. */
  cut: boolean;
}

function near(lines: readonly DiffLine[]): Shown[] {
  const kept = new Set<number>();
  for (const [at, { kind }] of lines.entries())
    if (kind !== 'same') for (let near = at - AROUND; near <= at + AROUND; near += 1) kept.add(near);
  let last = -1;
  return lines.flatMap((line, at) => {
    if (!kept.has(at)) return [];
    const cut = at > last + 1;
    last = at;
    return [{ line, at, cut }];
  });
}
