import { AppError } from '../../../base/errors.ts';

/** Fields of a form. Each character is a byte, because the message in one may be in any charset. */
export type Fields = ReadonlyMap<string, string>;

/** A request to a mailbox's URL, with its unchanged body: signatures cover these bytes. */
export interface Post {
  contentType: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parameters of the URL. */
  query: Readonly<Record<string, string | undefined>>;
  body: Buffer;
  /** Undefined if the body isn’t a form. */
  fields: Fields | undefined;
}

/** The original message in a post, and the service's data of its envelope. */
export interface PostedMail {
  raw: Buffer;
  /** The service's id of it: the same in every attempt. */
  source?: string | undefined;
  envelopeFrom?: string | undefined;
  envelopeTo?: string | undefined;
  remoteAddress?: string | undefined;
  helo?: string | undefined;
}

/** The text of a field. */
export const textOf = (fields: Fields, name: string): string | undefined => {
  const bytes = fields.get(name);
  return bytes === undefined ? undefined : Buffer.from(bytes, 'latin1').toString('utf8');
};

/** @throws AppError 400 */
export function parseJson(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw new AppError('invalid_json', 'The body isn’t a JSON object.');
}
