import type { ReceivedMailDetail } from '@foyer/protocol';
import type { SiteContext } from '../../core/context.ts';
import { MailUnreadable } from '../../mime/limits.ts';
import { readInThread } from '../reading/reader.ts';

const TEXT_MAX = 20_000;
const HEADERS_MAX = 200;
const HEADER_MAX = 2_000;

/** The text of a stored mail; null if it can't be read, which the log gives as its reason. */
export async function readContent(ctx: SiteContext, raw: Buffer): Promise<ReceivedMailDetail['content']> {
  try {
    const { mail, said } = await readInThread(ctx, raw, { envelopeFrom: null });
    const { to, cc, files, headers } = mail;
    const whole = [said.text, said.quoted ?? ''].filter((part) => part !== '').join('\n\n');
    return {
      to,
      cc,
      text: whole.slice(0, TEXT_MAX).toWellFormed(),
      files: files.map(({ name, content }) => ({ name, size: content.length })),
      headers: [...headers]
        .flatMap(([name, values]) =>
          values.map((value) => ({ name, value: value.slice(0, HEADER_MAX).toWellFormed() })),
        )
        .slice(0, HEADERS_MAX),
    };
  } catch (error) {
    if (error instanceof MailUnreadable) return null;
    throw error;
  }
}
