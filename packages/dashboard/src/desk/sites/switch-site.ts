import { useRouter } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { withSite } from '../../site.ts';
import { useDesk } from '../DeskContext.tsx';

/** A page of another site. */
export interface SitePage {
  id: number;
  path: '/app/inbox' | '/app/first-steps';
}

/**
 * The dialog over the desk: the form of a new site, or the question whether chosen files may be lost by switching.
 */
type Asked = 'new' | SitePage;

let asked: Asked | null = null;
const listeners = new Set<() => void>();

function put(next: Asked | null): void {
  asked = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Null without a dialog. */
export const useAskedSite = (): Asked | null => useSyncExternalStore(subscribe, () => asked);

/** Opens the form of a new site. */
export const askNewSite = (): void => put('new');

/** Closes the dialog. */
export const closeAskedSite = (): void => put(null);

/** Loads a page of another site. Forms with unsaved changes ask first, and so does the desk about chosen files. */
export function useSwitchSite(): (page: SitePage, mayLoseFiles?: boolean) => void {
  const router = useRouter();
  const { files } = useDesk();
  return (page, mayLoseFiles = false) => {
    if (!mayLoseFiles && !files.isEmpty) return put(page);
    put(null);
    void router.navigate({ href: withSite(page.path, page.id), reloadDocument: true });
  };
}
