const MAX_CHARS = 80;
/** Letters that no normal form decomposes. */
const SPELT: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
};

/** A title as a part of an address: `Rückgabe & Umtausch` is `ruckgabe-umtausch`. Other scripts keep their letters. */
export function slugOf(title: string): string {
  const plain = title
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[ßæœøđðłþı]/g, (letter) => SPELT[letter] ?? letter)
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-');
  const short = [...plain].slice(0, MAX_CHARS).join('');
  return short.replace(/^-+|(?<!-)-+$/g, '') || 'article';
}

/** Generates unused slugs: `returns`, `returns-2`, `returns-3`. */
export function createSlugs(taken: Iterable<string>): { take(title: string): string } {
  const used = new Set(taken);
  const next = new Map<string, number>();
  return {
    take(title) {
      const plain = slugOf(title);
      let slug = plain;
      for (let number = next.get(plain) ?? 2; used.has(slug); number++) {
        slug = `${plain}-${number}`;
        next.set(plain, number + 1);
      }
      used.add(slug);
      return slug;
    },
  };
}
