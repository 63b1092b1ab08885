import type { words as en } from './languages/en.ts';

/** Forms by the categories of Intl.PluralRules for `{count}`. */
export type Plural = { readonly other: string } & {
  readonly [category in Exclude<Intl.LDMLPluralRule, 'other'>]?: string;
};

export type WordKey = keyof typeof en;

/** Every phrase of the pages and emails for customers, in one language; English has the keys. */
export type Words = { readonly [K in WordKey]: (typeof en)[K] extends string ? string : Plural };
