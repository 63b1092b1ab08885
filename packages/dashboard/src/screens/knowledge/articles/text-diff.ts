export interface DiffLine {
  readonly kind: 'same' | 'gone' | 'new';
  readonly text: string;
}

/** Larger changes are shown as the old text and the new one: the comparison's table has at most this many cells. */
const CELLS_MAX = 4_000_000;

/** The lines of two texts in order, marked as removed, added or unchanged. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [old, young] = [before.split('\n'), after.split('\n')];
  let head = 0;
  while (head < old.length && head < young.length && old[head] === young[head]) head += 1;
  let tail = 0;
  while (
    tail < old.length - head &&
    tail < young.length - head &&
    old[old.length - 1 - tail] === young[young.length - 1 - tail]
  )
    tail += 1;
  const line =
    (kind: DiffLine['kind']) =>
    (text: string): DiffLine => ({ kind, text });
  return [
    ...old.slice(0, head).map(line('same')),
    ...changed(old.slice(head, old.length - tail), young.slice(head, young.length - tail)),
    ...old.slice(old.length - tail).map(line('same')),
  ];
}

function changed(old: readonly string[], young: readonly string[]): DiffLine[] {
  const width = young.length + 1;
  const result: DiffLine[] = [];
  if ((old.length + 1) * width > CELLS_MAX) {
    for (const text of old) result.push({ kind: 'gone', text });
    for (const text of young) result.push({ kind: 'new', text });
    return result;
  }
  // The length of the longest common part after each pair of positions.
  const common = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = young.length - 1; j >= 0; j -= 1)
      common[i * width + j] =
        old[i] === young[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  let [i, j] = [0, 0];
  while (i < old.length || j < young.length) {
    const [gone = '', come = ''] = [old[i], young[j]];
    if (i < old.length && j < young.length && gone === come) {
      result.push({ kind: 'same', text: gone });
      i += 1;
      j += 1;
    } else if (i < old.length && (j >= young.length || at(i + 1, j) >= at(i, j + 1))) {
      result.push({ kind: 'gone', text: gone });
      i += 1;
    } else {
      result.push({ kind: 'new', text: come });
      j += 1;
    }
  }
  return result;
}
