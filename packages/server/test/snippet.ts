import { readFileSync } from 'node:fs';

const SNIPPET = (() => {
  const text = readFileSync(new URL('../../../docs/install.md', import.meta.url), 'utf8');
  const block = [...text.matchAll(/```html\n([\s\S]*?)```/g)].find(([, html]) =>
    html?.includes('data-site'),
  )?.[1];
  if (!block) throw new Error('docs/install.md has no snippet');
  return block;
})();

/** The two lines of the docs, for a site of the Foyer at `url`. */
export const snippetFor = (url: string, publicKey: string): string =>
  SNIPPET.replace('https://chat.example.com', url).replace('pk_…', publicKey);
