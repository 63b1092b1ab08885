/** The entry of the worker thread in which files and pages are read: see `extract-file.ts`. */
import { answerTasks } from '../../../base/threads/answer-tasks.ts';
import type { Work } from './extract-file.ts';
import type { Extracted } from './extracted.ts';

/** Each loads only the libraries that it needs. */
async function extract({ kind, content: bytes, page }: Work): Promise<Extracted> {
  const content = Buffer.from(bytes);
  if (kind === 'pdf') return (await import('./pdf.ts')).extractPdf(content);
  if (kind === 'docx') return (await import('./docx.ts')).extractDocx(content);
  return page ? (await import('./html.ts')).extractHtml(content, page) : { problem: 'wrong_type' };
}

answerTasks((work: Work) => extract(work).catch((): Extracted => ({ problem: 'damaged' })));
