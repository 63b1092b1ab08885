import { CatchBoundary } from '@tanstack/react-router';
import {
  type ComponentType,
  createElement,
  type LazyExoticComponent,
  lazy,
  type ReactNode,
  useEffect,
} from 'react';
import { tCommon } from './t-common.ts';
import { toast } from './ui/toasts/toast-store.ts';

/** Shown instead of a part that couldn't be loaded. */
function Missing(): null {
  useEffect(() => toast.error(tCommon('part_missing'), tCommon('part_missing_hint')), []);
  return null;
}

const neverAgain = () => 0;

/**
 * A part of a screen that is loaded when it is first shown. If it or its phrases can't be loaded because the server
 * is down, it is left out with a message: the screen around it stays, with everything being written there.
 */
export function lazyPart<K extends string, P extends object>(
  load: () => Promise<Record<K, ComponentType<P>>>,
  name: K,
): LazyExoticComponent<ComponentType<P>> {
  return lazy(() =>
    load().then(
      ({ [name]: Part }) => ({
        default: (props: P): ReactNode => {
          const children = createElement(Part, props);
          return createElement(CatchBoundary, { getResetKey: neverAgain, errorComponent: Missing, children });
        },
      }),
      () => ({ default: Missing }),
    ),
  );
}
