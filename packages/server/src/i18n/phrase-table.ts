import type { words as en } from './languages/en.ts';

/** Forms of a phrase by the plural category of `{count}` (Intl.PluralRules). */
export type Plural = { readonly other: string } & {
  readonly [category in Exclude<Intl.LDMLPluralRule, 'other'>]?: string;
};

export type WordKey = keyof typeof en;

/** All phrases of customers' pages and emails in one language. English defines the keys. */
export type Words = { readonly [K in WordKey]: (typeof en)[K] extends string ? string : Plural };
