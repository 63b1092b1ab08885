/** The entry of the worker thread in which files are read: see `extract-file.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import type { FileKind } from '../file-kind.ts';
import { extractDocx } from './docx.ts';
import type { Extracted } from './extracted.ts';
import { extractPdf } from './pdf.ts';

interface Work {
  readonly kind: FileKind;
  readonly content: Uint8Array;
}

const extract = { pdf: extractPdf, docx: extractDocx } as const;

const { kind, content } = workerData as Work;
const extracted: Extracted = await extract[kind](Buffer.from(content)).catch(() => ({
  problem: 'damaged' as const,
}));
parentPort?.postMessage(extracted);
