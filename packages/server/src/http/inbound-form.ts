import { parse } from 'node:querystring';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import { AppError } from '../base/errors.ts';
import type { Fields } from '../email/routes/http/posted.ts';
import { MAIL_MAX_BYTES } from '../mime/limits.ts';

const FIELDS_MAX = 200;
const NAME_MAX_BYTES = 200;

async function multipartFields(contentType: string, body: Buffer): Promise<Fields> {
  const fields = new Map<string, string>();
  try {
    const parser = new Busboy({
      headers: { 'content-type': contentType },
      defCharset: 'latin1',
      limits: {
        fields: FIELDS_MAX,
        files: FIELDS_MAX,
        fieldNameSize: NAME_MAX_BYTES,
        fieldSize: MAIL_MAX_BYTES,
      },
    });
    parser.on('field', (name, value) => void fields.set(name, value));
    parser.on('file', (_name, file) => void file.resume());
    await pipeline(Readable.from([body]), parser);
  } catch (error) {
    throw new AppError('invalid_input', 'The form can’t be read.', { cause: error });
  }
  return fields;
}

const unescapeBytes = (part: string): string =>
  part.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

const urlencodedFields = (body: Buffer): Fields =>
  new Map(
    Object.entries(
      parse(body.toString('latin1'), '&', '=', {
        maxKeys: FIELDS_MAX,
        decodeURIComponent: unescapeBytes,
      }),
    ).map(([name, value]) => [name, Array.isArray(value) ? (value[0] ?? '') : (value ?? '')]),
  );

/**
 * The fields of a form; undefined if the body isn’t one.
 * @param contentType the header
 * @throws AppError 400
 */
export async function formFields(contentType: string, body: Buffer): Promise<Fields | undefined> {
  if (/^multipart\/form-data\b/i.test(contentType)) return multipartFields(contentType, body);
  return /^application\/x-www-form-urlencoded\b/i.test(contentType) ? urlencodedFields(body) : undefined;
}
