/** Forms of a phrase by the plural category of `{count}` (Intl.PluralRules). */
export type Plural = { readonly other: string } & {
  readonly [category in Exclude<Intl.LDMLPluralRule, 'other'>]?: string;
};

/** A text with placeholders such as `{name}`, or its forms for each `{count}`. */
export type Phrase = string | Plural;

/** The phrases of an interface by key. The English table defines the type of the other languages. */
export type Phrases = Readonly<Record<string, Phrase>>;

/** The same table in another language: every key, and a plural where English has one. */
export type Translated<English extends Phrases> = {
  readonly [K in keyof English]: English[K] extends string ? string : Plural;
};

type GapsOf<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | GapsOf<Rest> : never;

/** The names of a phrase's placeholders. */
export type Gaps<P> = P extends string ? GapsOf<P> : P extends Plural ? GapsOf<P[keyof P]> | 'count' : never;

/** A language's plurals and number formats. */
export interface Grammar {
  readonly rules: Intl.PluralRules;
  readonly numbers: Intl.NumberFormat;
}

/**
 * Created with the first number: its formatters take longer than the rest of the widget's start.
 * @param locale a BCP 47 tag, with a region if known: `de-AT`
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

/**
 * The parts of a phrase with its placeholders filled and numbers formatted. A placeholder without a value stays.
 */
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
