import {
  Component,
  type ComponentType,
  createElement,
  type LazyExoticComponent,
  lazy,
  type ReactNode,
  useEffect,
} from 'react';
import { base } from './base.ts';
import { WordsMissing } from './language.ts';
import { complain } from './ui/toast-store.ts';

/** Stands where a part should be. */
function Missing(): null {
  useEffect(() => complain(base('part_missing'), base('part_missing_hint')), []);
  return null;
}

interface WithWordsProps {
  children: ReactNode;
}

/** A part whose words can't be had is one that can't be had; any other fault of it is the screen's. */
class WithWords extends Component<WithWordsProps, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error instanceof WordsMissing) return createElement(Missing);
    if (error !== null) throw error;
    return this.props.children;
  }
}

/**
 * A part of a screen that is loaded when it is first shown. One that can't be had, for the server was gone just then, is
 * left out, and that is said: the screen around it stays, with all that is being written there.
 */
export function part<K extends string, P extends object>(
  load: () => Promise<Record<K, ComponentType<P>>>,
  name: K,
): LazyExoticComponent<ComponentType<P>> {
  return lazy(() =>
    load().then(
      ({ [name]: Part }) => ({
        default: (props: P): ReactNode => createElement(WithWords, null, createElement(Part, props)),
      }),
      () => ({ default: Missing }),
    ),
  );
}
