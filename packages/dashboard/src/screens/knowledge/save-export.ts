import { call } from '../../api.ts';
import { saveFile } from '../../save-file.ts';

/** Saves all articles as text for an import: one file, or several if they exceed an import's limit. */
export async function saveExport(): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  let after: number | undefined;
  for (let part = 1; ; part += 1) {
    const { text, next } = await call('articles.export', after === undefined ? {} : { after });
    saveFile(`articles-${day}${next === null && part === 1 ? '' : `-${part}`}.md`, text, 'text/markdown');
    if (next === null) return;
    after = next;
  }
}
