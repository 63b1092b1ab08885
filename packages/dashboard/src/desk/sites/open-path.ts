import type { useRouter } from '@tanstack/react-router';
import { pathHere } from '../../site.ts';

/**
 * Opens a path of the desk that may name its site: here, or by loading the page at the other site. Asks first if
 * something would be lost.
 */
export function openPath(router: Pick<ReturnType<typeof useRouter>, 'navigate'>, path: string): void {
  const { path: here, isHere } = pathHere(path);
  void router.navigate(isHere ? { href: here } : { href: path, reloadDocument: true });
}
