/** The entry of the worker thread that runs the sentence encoder: see `encoder.ts`. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answerTasks } from '../../base/threads/answer-tasks.ts';
import type { EncoderTask } from './encoder.ts';
import { Tokenizer } from './tokenizer.ts';
import { Transformer } from './transformer.ts';
import { readTensors } from './weights.ts';

type Encode = (text: string) => Float32Array;

const loaded = new Map<string, Promise<Encode>>();

async function load(folder: string): Promise<Encode> {
  const [tensors, vocabulary] = await Promise.all([
    readTensors(folder),
    readFile(join(folder, 'vocab.json'), 'utf8'),
  ]);
  const tokenizer = new Tokenizer(JSON.parse(vocabulary));
  const transformer = new Transformer(tensors);
  return (text) => transformer.vectorOf(tokenizer.encode(text));
}

answerTasks(async ({ folder, text }: EncoderTask) => {
  const encoder = loaded.get(folder) ?? load(folder);
  loaded.set(folder, encoder);
  return (await encoder)(text);
});
