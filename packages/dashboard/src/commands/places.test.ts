import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { createDeskRouter } from '../router.tsx';
import { PLACES } from './places.ts';

/** A provider leads there with what it has decided. */
const RETURN_FROM_PROVIDER = '/settings/mailboxes/sign-in';

it('the palette opens every page of the desk that needs only its address', () => {
  const { routesByPath } = createDeskRouter(new QueryClient());
  const signedOut = ['/', '/setup', '/invitation', '/sign-in', '/forgot-password', '/reset-password'];
  const pages = Object.entries(routesByPath)
    // Former addresses only redirect.
    .filter(([, { options }]) => options.component !== undefined)
    .map(([path]) => path)
    .map((path) => path.replace(/(?<=.)\/$/, ''))
    .filter((path) => !path.includes('$') && !signedOut.includes(path) && path !== RETURN_FROM_PROVIDER);
  const reached = PLACES.filter((place) => !('params' in place)).map(({ to }) => to);
  expect(reached.toSorted()).toEqual([...new Set(pages)].toSorted());
});

it('the palette creates each kind of record whose list has pages for new ones', () => {
  // As their lists link them: `/settings/teams/new`, or the route of one record with `new` as its id.
  const created = PLACES.filter(({ word }) => word.startsWith('new_')).map((place) =>
    'params' in place ? place.to.replace('$id', place.params.id) : place.to,
  );
  const lists = [
    'fields',
    'macros',
    'mailboxes',
    'proactive',
    'roles',
    'rules',
    'single-sign-on',
    'slas',
    'teams',
  ];
  const settings = created.filter((to) => to.startsWith('/settings/'));
  expect(settings.toSorted()).toEqual(lists.map((list) => `/settings/${list}/new`));
  expect(new Set(PLACES.map(({ to }) => to)).size).toBe(PLACES.length);
});
