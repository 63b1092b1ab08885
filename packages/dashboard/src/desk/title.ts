import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { countsQuery } from '../queries.ts';
import { NAV } from './nav.ts';

/** The page's title: how many wait, where one is. */
export function useTitle(): void {
  const waiting = useQuery(countsQuery).data?.waiting ?? 0;
  const path = useRouterState({ select: (state) => state.location.pathname });
  const screen = NAV.find((item) => path.startsWith(item.to))?.label ?? 'Foyer';
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${screen} · Foyer`;
  }, [waiting, screen]);
}
