/** Import cycles between files, by Tarjan's algorithm for strongly connected components. */
import type { SourceFile } from './source.ts';

/**
 * Groups of files that import each other, largest first. `value` ignores type-only imports, which vanish at run time;
 * both ignore `import()`, which runs after the importing file has loaded.
 */
export function findCycles(files: readonly SourceFile[], kind: 'value' | 'type'): string[][] {
  const edges = new Map(
    files.map(({ file, imports }) => [
      file,
      imports.filter((one) => !one.dynamic && (kind === 'type' || !one.typeOnly)).map((one) => one.file),
    ]),
  );
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const lower = (file: string, value: number) => low.set(file, Math.min(low.get(file) ?? value, value));

  const close = (file: string) => {
    const members = stack.splice(stack.indexOf(file));
    if (members.length > 1) cycles.push(members.sort());
  };
  const enter = (file: string) => {
    const index = order.size;
    order.set(file, index);
    low.set(file, index);
    stack.push(file);
    for (const next of edges.get(file) ?? []) {
      if (!edges.has(next)) continue;
      if (!order.has(next)) {
        enter(next);
        lower(file, low.get(next) ?? index);
      } else if (stack.includes(next)) {
        lower(file, order.get(next) ?? index);
      }
    }
    if (low.get(file) === index) close(file);
  };
  for (const file of edges.keys()) if (!order.has(file)) enter(file);
  return cycles.sort((a, b) => b.length - a.length);
}
