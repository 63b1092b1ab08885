import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { createDeskRouter } from '../router.tsx';
import { PLACES } from './places.ts';

/** A provider leads there with what it has decided. */
const RETURN_FROM_PROVIDER = '/settings/mailboxes/sign-in';

it('the palette leads to every page of the desk that needs nothing more than its address', () => {
  const { routesByPath } = createDeskRouter(new QueryClient());
  const signedOut = ['/', '/setup', '/invitation', '/sign-in', '/forgot-password', '/reset-password'];
  const pages = Object.entries(routesByPath)
    // Former addresses only redirect.
    .filter(([, { options }]) => options.component !== undefined)
    .map(([path]) => path)
    .map((path) => path.replace(/(?<=.)\/$/, ''))
    .filter((path) => !path.includes('$') && !signedOut.includes(path) && path !== RETURN_FROM_PROVIDER);
  expect(PLACES.map(({ to }) => to).toSorted()).toEqual([...new Set(pages)].toSorted());
});
