/**
 * Mails as customers send them: read, which is everything before the database; and processed, from the stored mail to
 * its ticket with HTML and files. Both compared with `postal-mime` alone on the same mails, in turn.
 */
import PostalMime from 'postal-mime';
import { processReceived } from '../packages/server/src/email/inbound/process.ts';
import { storeReceived } from '../packages/server/src/email/inbound/store.ts';
import { contentOf } from '../packages/server/src/email/reading/content.ts';
import { readMail } from '../packages/server/src/email/reading/read-mail.ts';
import { noiseOf } from '../packages/server/src/mime/noise.ts';
import { createSite } from '../packages/server/src/sites/sites.ts';
import {
  filePart,
  message,
  multipart,
  type Part,
  textPart,
} from '../packages/server/test/mails/corpus/raw.ts';
import { contextOf } from './context.ts';
import { type Figure, interleave, rateFigure } from './figures.ts';
import { withDatabase } from './foyer.ts';

const MAILS = Number(process.env.FOYER_BENCH_MAILS ?? 10_000);
const ROUNDS = 4;
/** With one to warm up. */
const PER_ROUND = Math.ceil(MAILS / (ROUNDS + 1));
/** How many such jobs a process runs at once, and how many mails each processes together. */
const AT_ONCE = 4;
const TOGETHER = 20;

const SENTENCE = 'The parcel that you sent on Monday has not arrived, and nobody at the depot knows of it. ';
const quote = (lines: number): string => `> ${SENTENCE}\n`.repeat(lines);
const INTRODUCTION = 'On Mon, Nov 2, 2026 at 10:00 AM Shop <help@shop.example> wrote:';
const text = (lines: number): string => `${SENTENCE.repeat(4)}\n\n${INTRODUCTION}\n\n${quote(lines)}`;
const html = (paragraphs: number): string =>
  `<html><head><style>p.MsoNormal {margin:0cm;font-size:11.0pt}</style></head><body>${SENTENCE.repeat(4)}<div class="gmail_quote">${`<p class="MsoNormal" style="margin:0cm;font-size:11.0pt;font-family:&quot;Calibri&quot;,sans-serif"><span lang="EN-US">${SENTENCE}<o:p></o:p></span></p>`.repeat(paragraphs)}</div></body></html>`;
const bytes = (size: number): Buffer =>
  Buffer.alloc(size, 'A picture or a scan, which looks like this in base64.');
const both = (lines: number): Part =>
  multipart('alternative', [textPart(text(lines)), textPart(html(lines), 'text/html')]);

/** A fifth are short texts, nearly half have HTML with long quotes, a fifth a logo too, the others a file. */
const KINDS: readonly Part[] = [
  ...[10, 30].map((lines) => textPart(text(lines))),
  ...[20, 60, 100, 160].map(both),
  ...[40, 80].map((lines) =>
    multipart('related', [both(lines), filePart('logo.png', 'image/png', bytes(20_000), 'logo@mail')]),
  ),
  multipart('mixed', [both(40), filePart('scan.pdf', 'application/pdf', bytes(150_000))]),
  multipart('mixed', [textPart(text(5)), filePart('photo.jpg', 'image/jpeg', bytes(600_000))]),
];

const mails = (): Buffer[] =>
  Array.from({ length: PER_ROUND }, (_, at) =>
    message({ Subject: `My parcel ${at}` }, KINDS[at % KINDS.length] ?? textPart('Hello')),
  );

/** @returns how many a second */
async function rate(list: readonly Buffer[], work: (list: readonly Buffer[]) => Promise<unknown>) {
  const from = performance.now();
  await work(list);
  return (list.length * 1_000) / (performance.now() - from);
}

const eachInTurn = (work: (raw: Buffer) => Promise<unknown>) => async (list: readonly Buffer[]) => {
  for (const raw of list) await work(raw);
};

async function readOne(raw: Buffer): Promise<void> {
  const read = await readMail(raw, { redaction: { kinds: [], patterns: [] }, envelopeFrom: null });
  noiseOf(read.mail, null);
  contentOf(read);
}

export const mailsOfCustomers = (): Promise<Figure[]> =>
  withDatabase(async ({ db }) => {
    const { id: siteId } = await createSite(db, { name: 'Bench', plan: 'growth' });
    const ctx = contextOf(db, siteId, { kind: 'job' });
    const { id: mailboxId } = await db
      .insertInto('mailboxes')
      .values({
        site_id: siteId,
        address: 'help@shop.example',
        incoming: 'smtp',
        created_at: ctx.now(),
        updated_at: ctx.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const process = async (list: readonly Buffer[]): Promise<void> => {
      let next = 0;
      const worker = async (): Promise<void> => {
        while (next < list.length) {
          const batch = list.slice(next, next + TOGETHER);
          next += TOGETHER;
          const ids: number[] = [];
          for (const raw of batch)
            ids.push((await storeReceived(ctx, { mailboxId, route: 'smtp', source: null, raw })) ?? 0);
          const failures = await processReceived(ctx, ids);
          if (failures.size > 0) throw new Error('not processed', { cause: failures });
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
    };
    const bare = (): Promise<number> =>
      rate(
        mails(),
        eachInTurn((raw) => PostalMime.parse(raw)),
      );
    const reading = await interleave(ROUNDS, () => rate(mails(), eachInTurn(readOne)), bare);
    const processing = await interleave(ROUNDS, () => rate(mails(), process), bare);
    const count = (PER_ROUND * (ROUNDS + 1)).toLocaleString('en');
    return [
      rateFigure(`${count} mails read`, reading, '≥ 40 %'),
      rateFigure(`${count} mails processed into tickets`, processing, '≥ 40 %'),
    ];
  });
