import { call } from '../../api.ts';

/** Where a browser has begun to save a file its address is needed no more. */
const KEPT_MS = 10_000;

function saveFile(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/markdown' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}

/** Saves all articles as text that can be imported: one file, or several where one import would not take it all. */
export async function saveExport(): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  let after: number | undefined;
  for (let part = 1; ; part += 1) {
    const { text, next } = await call('articles.export', after === undefined ? {} : { after });
    saveFile(`articles-${day}${next === null && part === 1 ? '' : `-${part}`}.md`, text);
    if (next === null) return;
    after = next;
  }
}
