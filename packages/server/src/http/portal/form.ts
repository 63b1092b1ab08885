import type { MultipartFile } from '@fastify/multipart';
import {
  ATTACHMENT_MAX_BYTES,
  ATTACHMENTS_MAX,
  ATTACHMENTS_TOTAL_MAX_BYTES,
  clientId,
  TICKET_TEXT_MAX,
} from '@foyer/protocol';
import type { FastifyRequest } from 'fastify';
import type { Speech } from '../../i18n/phrases.ts';

export interface Submission {
  /** Undefined if the form had no valid one. */
  answerId: string | undefined;
  text: string;
  files: { name: string; contentType: string; content: Buffer }[];
  /** What the person must correct, in sentences. If there are any, `files` is empty. */
  problems: string[];
}

/**
 * Files that are too large or too many are read to their end, so that the browser shows our response instead of an
 * error.
 */
const DRAIN_MAX_BYTES = 120 * 1024 * 1024;
const PARTS_READ_MAX = 60;
/** Room for a text that is too long, so that it can be shown again. */
const FIELD_MAX_BYTES = 1024 * 1024;

const LIMITS = {
  fieldSize: FIELD_MAX_BYTES,
  fieldNameSize: 100,
  fields: 10,
  fileSize: ATTACHMENT_MAX_BYTES,
  files: PARTS_READ_MAX,
  parts: PARTS_READ_MAX,
};

/** Whether the request is larger than we would read. */
export const isFarTooLarge = (request: FastifyRequest): boolean =>
  Number(request.headers['content-length'] ?? 0) > DRAIN_MAX_BYTES;

/** A person's text with normalised line breaks. */
const cleanText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .trim();

function problemOfText({ say }: Speech, text: string): string | undefined {
  if (text === '') return say('empty_answer');
  if (text.length > TICKET_TEXT_MAX)
    return say('text_too_long', { count: text.length, max: TICKET_TEXT_MAX });
  return undefined;
}

/** Reads one submission. Excess data is counted and dropped as it arrives. */
class Reading {
  readonly files: Submission['files'] = [];
  readonly tooLarge: string[] = [];
  count = 0;
  bytes = 0;

  async take({ file, filename, mimetype }: MultipartFile): Promise<void> {
    const chunks: Buffer[] = [];
    let size = 0;
    const isOneTooMany = this.count >= ATTACHMENTS_MAX;
    for await (const chunk of file as AsyncIterable<Buffer>) {
      size += chunk.length;
      this.bytes += chunk.length;
      if (this.bytes > DRAIN_MAX_BYTES) throw new Error('more than is read of a form');
      if (!isOneTooMany && this.bytes <= ATTACHMENTS_TOTAL_MAX_BYTES) chunks.push(chunk);
    }
    // A file field without a file.
    if (size === 0 && !filename) return;
    this.count += 1;
    if (file.truncated) this.tooLarge.push(filename);
    else this.files.push({ name: filename, contentType: mimetype, content: Buffer.concat(chunks) });
  }

  problems({ say, size }: Speech): string[] {
    const found = this.tooLarge.map((name) =>
      say('file_too_large', { name, size: size(ATTACHMENT_MAX_BYTES) }),
    );
    if (this.count > ATTACHMENTS_MAX)
      found.push(say('too_many_files', { count: this.count, max: ATTACHMENTS_MAX }));
    if (found.length === 0 && this.bytes > ATTACHMENTS_TOTAL_MAX_BYTES)
      found.push(say('files_too_large', { size: size(ATTACHMENTS_TOTAL_MAX_BYTES) }));
    return found;
  }
}

/** Reads the portal's form: every problem becomes a sentence, and the text is kept. */
export async function readSubmission(request: FastifyRequest, speech: Speech): Promise<Submission> {
  const reading = new Reading();
  let text = '';
  let answerId: string | undefined;
  const problems: string[] = [];
  try {
    for await (const part of request.parts({ limits: LIMITS })) {
      if (part.type === 'file') await reading.take(part);
      else if (part.fieldname === 'text') text = cleanText(String(part.value));
      else if (part.fieldname === 'answer_id') answerId = clientId.safeParse(part.value).data;
    }
  } catch (error) {
    request.log.info({ err: error }, 'reading a portal form failed');
    problems.push(speech.say('unreadable'));
  }
  const wrong = problemOfText(speech, text);
  if (wrong !== undefined && problems.length === 0) problems.push(wrong);
  problems.push(...reading.problems(speech));
  const hadFiles = reading.count > 0;
  if (problems.length > 0 && hadFiles) problems.push(speech.say('choose_again'));
  return { answerId, text, files: problems.length > 0 ? [] : reading.files, problems };
}
