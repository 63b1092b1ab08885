import { isAmong } from './addresses.ts';
import type { FactDate } from './dates.ts';
import { type FactLanguage, factLanguageOf } from './fact-language.ts';
import { type Fact, factsOf } from './facts.ts';

type FactOf<K extends Fact['kind']> = Extract<Fact, { kind: K }>;

/**
 * The facts that a text states, to check other texts against them.
 * @param otherwise the language of a text whose language can't be detected.
 */
export const statedFacts = (text: string, otherwise: FactLanguage): Fact[] =>
  factsOf(text, factLanguageOf(text, otherwise), false);

/** The facts of known texts, for checking other texts. */
export class Evidence {
  readonly #numbers = new Set<number>();
  readonly #minutes = new Set<number>();
  readonly #codes = new Set<string>();
  readonly #amounts: FactOf<'amount'>[] = [];
  readonly #days: FactDate[] = [];
  readonly #addresses: string[] = [];

  /** @param facts as `statedFacts` reads them. */
  constructor(facts: Iterable<Fact>) {
    for (const fact of facts) this.#add(fact);
  }

  #add(fact: Fact): void {
    if (fact.kind === 'number') this.#numbers.add(fact.value);
    else if (fact.kind === 'time') this.#minutes.add(fact.minute);
    else if (fact.kind === 'code') this.#codes.add(fact.text);
    else if (fact.kind === 'amount') this.#amounts.push(fact);
    else if (fact.kind === 'date') this.#days.push(...fact.days);
    else this.#addresses.push(fact.text);
  }

  /**
   * The first fact of a text that none of the known texts states, as it is written there; undefined if they state all.
   */
  unsupported(text: string, language: FactLanguage): string | undefined {
    return factsOf(text, language, true).find((fact) => !this.#states(fact))?.text;
  }

  #states(fact: Fact): boolean {
    switch (fact.kind) {
      case 'number':
        return this.#numbers.has(fact.value);
      case 'time':
        return this.#minutes.has(fact.minute);
      case 'code':
        return this.#codes.has(fact.text);
      case 'amount':
        return this.#amounts.some(
          ({ value, units }) => value === fact.value && [...units].some((unit) => fact.units.has(unit)),
        );
      case 'date':
        return fact.days.some((day) => this.#days.some((known) => this.#isSame(day, known)));
      case 'address':
        return isAmong(this.#addresses, fact.text);
    }
  }

  /** A year that the other date omits must be stated somewhere. */
  #isSame(day: FactDate, known: FactDate): boolean {
    if (day.month !== known.month || (day.day !== undefined && day.day !== known.day)) return false;
    if (day.year === undefined || day.year === known.year) return true;
    return known.year === undefined && day.day !== undefined && this.#numbers.has(day.year);
  }
}
