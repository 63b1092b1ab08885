/** Forms by the categories of Intl.PluralRules for `{count}`. */
export type Plural = { readonly other: string } & {
  readonly [category in Exclude<Intl.LDMLPluralRule, 'other'>]?: string;
};

/** A text with gaps such as `{name}`, or its forms for each `{count}`. */
export type Phrase = string | Plural;

/** What a face says itself, by key. English is the table whose type the other languages follow. */
export type Phrases = Readonly<Record<string, Phrase>>;

/** The same table in another language: every key, and a plural where English has one. */
export type Translated<English extends Phrases> = {
  readonly [K in keyof English]: English[K] extends string ? string : Plural;
};

type GapsOf<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | GapsOf<Rest> : never;

/** The names of a phrase's gaps. */
export type Gaps<P> = P extends string ? GapsOf<P> : P extends Plural ? GapsOf<P[keyof P]> | 'count' : never;

/** How a language counts and writes numbers. */
export interface Grammar {
  readonly rules: Intl.PluralRules;
  readonly numbers: Intl.NumberFormat;
}

/**
 * Made when a number is first said: to make them takes longer than all else of the widget's start.
 * @param locale a BCP 47 tag, with a region where it is known: `de-AT`
 */
export function grammarOf(locale: string): Grammar {
  let rules: Intl.PluralRules | undefined;
  let numbers: Intl.NumberFormat | undefined;
  return {
    get rules() {
      rules ??= new Intl.PluralRules(locale);
      return rules;
    },
    get numbers() {
      numbers ??= new Intl.NumberFormat(locale);
      return numbers;
    },
  };
}

/** The pieces of a phrase with its gaps filled, numbers as the language writes them. A gap without a value stays. */
export function fill<Value>(
  phrase: Phrase,
  values: Readonly<Record<string, Value>>,
  grammar: Grammar,
): (string | Value)[] {
  const text =
    typeof phrase === 'string'
      ? phrase
      : (phrase[grammar.rules.select(Number(values.count))] ?? phrase.other);
  return text.split(/(\{\w+\})/).map((piece, at) => {
    if (at % 2 === 0) return piece;
    const value = values[piece.slice(1, -1)];
    return typeof value === 'number' ? grammar.numbers.format(value) : (value ?? piece);
  });
}
