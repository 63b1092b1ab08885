import { afterAll, beforeAll, expect, it } from 'vitest';
import { sanitizeMailHtml } from '../../src/mime/sanitize-mail-html.ts';
import { type Ground, openGround } from '../ground.ts';
import { type Case, OLD, THREAD } from './corpus/cases.ts';
import { first } from './corpus/first.ts';
import { machines } from './corpus/machines.ts';
import { replies } from './corpus/replies.ts';
import { type MailDesk, mail, openMailDesk } from './mail-desk.ts';

// Mails of real programs, from receipt to ticket: the outcome, the text, the collapsed part, the files.

let ground: Ground;
let desk: MailDesk;
beforeAll(async () => {
  ground = await openGround();
  desk = await openMailDesk(ground);
  await desk.receive(mail({ 'Message-ID': `<${THREAD}>` }));
});
afterAll(() => ground.close());

interface Shown {
  text: string;
  subject: string;
  quoted: string | null;
  html: string | null;
  is_rich: boolean;
  files: string[];
}

async function shownOf(ticketId: number, replyId: number | null): Promise<Shown> {
  const { db } = desk.ctx;
  const [ticket] = await db
    .selectFrom('tickets')
    .select(['subject', 'description'])
    .where('site_id', '=', desk.ctx.site.id)
    .where('id', '=', ticketId)
    .execute();
  const [entry] = await db
    .selectFrom('ticket_mails')
    .select(['id', 'quoted', 'html', 'is_rich'])
    .where('site_id', '=', desk.ctx.site.id)
    .where('ticket_id', '=', ticketId)
    .where('reply_id', replyId === null ? 'is' : '=', replyId)
    .execute();
  const [reply] =
    replyId === null
      ? []
      : await db
          .selectFrom('ticket_replies')
          .select('body')
          .where('site_id', '=', desk.ctx.site.id)
          .where('id', '=', replyId)
          .execute();
  const files = await db
    .selectFrom('attachments')
    .select('name')
    .where('site_id', '=', desk.ctx.site.id)
    .where(replyId === null ? 'mail_id' : 'reply_id', '=', replyId ?? entry?.id ?? 0)
    .orderBy('id')
    .execute();
  return {
    text: reply?.body ?? ticket?.description ?? '',
    subject: ticket?.subject ?? '',
    quoted: entry?.quoted ?? null,
    html: entry?.html ?? null,
    is_rich: entry?.is_rich ?? false,
    files: files.map(({ name }) => name),
  };
}

const corpus: Case[] = [...replies, ...machines, ...first];

it('has some two hundred mails', () => expect(corpus.length).toBeGreaterThanOrEqual(200));

it.each(corpus.map((one) => [one.name, one] as const))('%s', async (_, expected) => {
  const row = await desk.receive(expected.raw);
  expect(row).toMatchObject({
    state: expected.state,
    ...(expected.reason === undefined ? {} : { reason: expected.reason }),
  });
  if (row.ticket_id === null || row.state === 'bounce') return;
  const shown = await shownOf(row.ticket_id, row.reply_id);
  if (expected.text !== undefined) expect(shown.text).toBe(expected.text);
  if (expected.quoted === null) expect(shown.quoted).toBeNull();
  else if (expected.quoted) expect(shown.quoted).toContain(expected.quoted);
  if (expected.subject !== undefined) expect(shown.subject).toBe(expected.subject);
  if (expected.files) expect(shown.files).toEqual(expected.files);
  if (expected.isRich !== undefined) expect(shown.is_rich).toBe(expected.isRich);
  if (!expected.collapses) return;
  const { html } = await sanitizeMailHtml(shown.html ?? '', { cidUrl: () => undefined, remote: 'block' });
  const [own = '', ...quotes] = html.split('<details><summary>');
  expect(own).not.toContain(OLD);
  expect(quotes.join('')).toContain(OLD);
});
