const FILES: Record<string, string> = import.meta.glob('../src/**/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
});

export const sources = Object.entries(FILES)
  .filter(([file]) => !/\.test\.ts$|\/languages\//.test(file))
  .map(([file, text]) => ({ file, text }));

/** Every string literal, as a key may be chosen before it is said; a template gives its beginning: `survey_`. */
export const literals = (): { whole: Set<string>; beginnings: string[] } => {
  const code = sources.map(({ text }) => text).join('\n');
  return {
    whole: new Set([...code.matchAll(/'([a-z]\w*)'/g)].map(([, literal]) => literal ?? '')),
    beginnings: [...code.matchAll(/`([a-z]\w*_)\$\{/g)].map(([, beginning]) => beginning ?? ''),
  };
};

/** The files that the page loads at once: `boot.tsx` and what it imports, types and imports on demand aside. */
export const firstLoad = (): typeof sources => {
  const first = new Set(sources.filter(({ file }) => file.endsWith('/src/boot.tsx')));
  // A set grows while it is walked.
  for (const { file, text } of first)
    for (const [, path = ''] of text.matchAll(/^import (?!type )[^;]*? from '(\.[^']+)'/gm)) {
      const imported = new URL(path, `file:///src/${file}`).pathname;
      const found = sources.find((source) => new URL(source.file, 'file:///src/').pathname === imported);
      if (found) first.add(found);
    }
  return [...first];
};

/** Keys in a call of `say` itself. */
export const saidIn = (files: typeof sources): string[] =>
  files.flatMap(({ text }) => [...text.matchAll(/\bsay\('(\w+)'/g)].map(([, key]) => key ?? ''));

export const said = (): string[] => saidIn(sources);

/** Words in an element, or in an attribute that is read out, that don't come from a table. */
export const unsaid = (): string[] =>
  sources
    .filter(({ file }) => file.endsWith('.tsx'))
    .flatMap(({ file, text }) =>
      [
        ...text.matchAll(/<\/?[a-z][^<>{}]*>\s*([A-Za-z][^<>{}]*?)\s*<\//g),
        ...text.matchAll(/\b(?:aria-label|alt|title)="([^"]+)"/g),
        ...text.matchAll(/\b(?:placeholder)="([^"@]*[a-z]{2}[^"@]*)"/g),
      ].map(([, words]) => `${file}: ${words}`),
    );
