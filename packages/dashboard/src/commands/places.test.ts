import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { createDeskRouter } from '../router.tsx';
import { PLACES } from './places.ts';

it('the palette leads to every page of the desk that needs nothing more than its address', () => {
  const { routesByPath } = createDeskRouter(new QueryClient());
  const doors = ['/', '/setup', '/invitation', '/sign-in'];
  const pages = Object.keys(routesByPath)
    .map((path) => path.replace(/(?<=.)\/$/, ''))
    .filter((path) => !path.includes('$') && !doors.includes(path));
  expect(PLACES.map(({ to }) => to).toSorted()).toEqual([...new Set(pages)].toSorted());
});
