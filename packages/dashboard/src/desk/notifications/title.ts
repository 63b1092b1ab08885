import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { countsQuery } from '../../queries.ts';
import { tCommon } from '../../t-common.ts';
import { useMe } from '../DeskContext.tsx';
import { NAV } from '../shell/nav.ts';

/** The page's title: the number of waiting chats, the current page, and for people with several sites, the site. */
export function useTitle(): void {
  const waiting = useQuery(countsQuery).data?.waiting ?? 0;
  const path = useRouterState({ select: (state) => state.location.pathname });
  const screen = NAV.find((item) => path.startsWith(item.to))?.word;
  const { site, sites } = useMe();
  const place = sites.length > 1 ? site.name : 'Foyer';
  const name = screen ? `${tCommon(screen)} · ${place}` : place;
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${name}`;
  }, [waiting, name]);
}
