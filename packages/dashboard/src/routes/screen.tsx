import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { textOf } from '../address-search.ts';
import { useLanguage, wordsAreThere } from '../language.ts';
import type { ListSearch } from '../screens/settings/ListOrder.tsx';

/** The search of an address, as it was typed. */
export type Search = Record<string, unknown>;

/** A screen, loaded with its words when it is opened, and rendered again when another language is spoken. */
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

/** Makes routes below another that have a path and a screen, and nothing in their search. */
export const pagesOf =
  <R extends AnyRoute>(getParentRoute: () => R) =>
  <const P extends string, K extends string>(
    path: P,
    load: () => Promise<Record<K, ComponentType>>,
    name: K,
  ) =>
    createRoute({ getParentRoute, path, component: screen(load, name) });

/** What makes no sense in an address counts as not there: beside what was read, the router would hand it on as it is. */
export const reading =
  <T extends object>(read: (search: Search) => T) =>
  (search: Search): T => ({
    ...Object.fromEntries(Object.keys(search).map((key) => [key, undefined])),
    ...read(search),
  });

/** Of a list that is searched by words. */
export const readListSearch = (search: Search): ListSearch => {
  const q = textOf(search.q);
  return q ? { q } : {};
};
