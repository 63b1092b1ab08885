import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The first requests and connections have been answered by then. */
const AFTER_MS = 5_000;

type Collect = (options: { type: 'major' }) => void;

/**
 * Collects, once, the garbage of loading and compiling: half of an idle server's heap, which V8 would keep until
 * traffic fills the rest. It stops the process for as long as any full collection.
 * @returns cancels it
 */
export function collectStartGarbage(): () => void {
  const timer = setTimeout(() => {
    // V8 exposes the function only in contexts that are created while the flag is set.
    setFlagsFromString('--expose-gc');
    const collect: Collect = runInNewContext('gc');
    setFlagsFromString('--no-expose-gc');
    collect({ type: 'major' });
  }, AFTER_MS).unref();
  return () => clearTimeout(timer);
}
