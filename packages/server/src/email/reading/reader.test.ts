import { expect, it } from 'vitest';
import { useGround } from '../../../test/ground.ts';
import { filePart, message, multipart, textPart } from '../../../test/mails/corpus/raw.ts';
import { openMailDesk } from '../../../test/mails/mail-desk.ts';
import { turnsDuring } from '../../../test/turns.ts';
import { readMail } from './read-mail.ts';
import { readInThread } from './reader.ts';

const ground = useGround();
const NOTHING = { redaction: { kinds: [], patterns: [] }, envelopeFrom: null };
const WITH_FILES = message(
  { Subject: 'Parts' },
  multipart('mixed', [
    textPart('Hello,\n\nOn Mon, Nov 2, 2026 at 10:00 AM Shop <help@shop.example> wrote:\n> quoted'),
    filePart('small.txt', 'text/plain', 'small'),
    filePart('large.png', 'image/png', Buffer.alloc(50_000, 'large')),
  ]),
);
/** A few seconds of work: each line costs the parser something. */
const HOSTILE = Buffer.concat([message({ Subject: 'Lines' }, textPart('x')), Buffer.alloc(1_000_000, '\n')]);

it('a mail read in a thread is the same mail, and its bytes are returned', async () => {
  const { ctx } = await openMailDesk(ground);
  const { raw, ...read } = await readInThread(ctx, Buffer.from(WITH_FILES), { envelopeFrom: null });
  expect(read).toEqual(await readMail(WITH_FILES, NOTHING));
  expect(raw.equals(WITH_FILES)).toBe(true);
});

it('a hostile mail blocks nobody: the event loop continues while it is read', async () => {
  const { ctx } = await openMailDesk(ground);
  const reading = readInThread(ctx, Buffer.from(HOSTILE), { envelopeFrom: null });
  expect(await turnsDuring(reading)).toBeGreaterThan(100);
  // Read here, it would block the loop.
  expect(await turnsDuring(readMail(HOSTILE, NOTHING))).toBeLessThan(100);
});

it('a mail that exceeds the limits is unreadable; mails before and after it are read', async () => {
  const { ctx } = await openMailDesk(ground);
  const read = (bytes: Buffer, limits = {}) =>
    readInThread(ctx, Buffer.from(bytes), { envelopeFrom: null, limits });
  const both = Promise.all([read(WITH_FILES), read(WITH_FILES)]);
  await expect(read(HOSTILE, { cpuMaxMs: 1 })).rejects.toMatchObject({ reason: 'too_complex' });
  expect(await both).toHaveLength(2);
  expect((await read(WITH_FILES)).mail.subject).toBe('Parts');
});
