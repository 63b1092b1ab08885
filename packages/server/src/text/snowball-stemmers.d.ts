declare module 'snowball-stemmers' {
  /** Throws on an unknown algorithm; `algorithms` lists the known ones. */
  export function newStemmer(algorithm: string): { stem(word: string): string };
  export function algorithms(): string[];
}
