import { cx } from './classes.ts';
import { ErrorNote } from './ErrorNote.tsx';
import { Bone, ListBones } from './States.tsx';

interface WaitingProps {
  /** Of the query; null while it loads. */
  error: Error | null;
  retry: () => unknown;
  /** The message if it failed. */
  failed: string;
  /** What it loads: rows of a list, with faces or without. */
  rows?: number;
  face?: boolean;
  /** Or one block of this height. */
  height?: string;
}

/** Stands in for what a query has not answered: a skeleton, or why it failed with a button to try again. */
export function Waiting({ error, retry, failed, rows = 6, face = false, height }: WaitingProps) {
  if (error) return <ErrorNote error={error} title={failed} onRetry={() => void retry()} />;
  return height ? <Bone className={cx('late pulse-soft', height)} /> : <ListBones rows={rows} face={face} />;
}
