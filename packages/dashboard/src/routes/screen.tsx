import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { textOf } from '../address-search.ts';
import { useLanguage, wordsAreThere } from '../language.ts';
import type { ListSearch } from '../screens/settings/ListOrder.tsx';

/** The search part of an address, as it was typed. */
export type Search = Record<string, unknown>;

/** A screen, loaded with its phrases when it is opened, and rendered again when the language changes. */
export function screen<K extends string>(load: () => Promise<Record<K, ComponentType>>, name: K) {
  return lazyRouteComponent(async () => {
    const Part: ComponentType = (await load())[name];
    await wordsAreThere();
    const Screen = () => {
      useLanguage();
      return <Part />;
    };
    return { Screen };
  }, 'Screen');
}

/** Makes child routes with a path and a screen, without search parameters. */
export const pagesOf =
  <R extends AnyRoute>(getParentRoute: () => R) =>
  <const P extends string, K extends string>(
    path: P,
    load: () => Promise<Record<K, ComponentType>>,
    name: K,
  ) =>
    createRoute({ getParentRoute, path, component: screen(load, name) });

/** Ignores invalid values in an address, which the router would otherwise pass on. */
export const reading =
  <T extends object>(read: (search: Search) => T) =>
  (search: Search): T => ({
    ...Object.fromEntries(Object.keys(search).map((key) => [key, undefined])),
    ...read(search),
  });

/** For a list that is searched by words. */
export const readListSearch = (search: Search): ListSearch => {
  const q = textOf(search.q);
  return q ? { q } : {};
};
