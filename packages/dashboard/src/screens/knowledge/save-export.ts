import { call } from '../../api.ts';
import { saveFile } from '../../save-file.ts';

/** Saves all articles as text that can be imported: one file, or several where one import would not take it all. */
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
