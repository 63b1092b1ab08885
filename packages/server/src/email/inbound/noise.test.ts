import { expect, it } from 'vitest';
import { useGround } from '../../../test/ground.ts';
import { allow, mail, openMailDesk, PROVEN } from '../../../test/mails/mail-desk.ts';
import { messageIdOf } from '../../mail/mailboxes/message-ids.ts';
import { replyToTicket } from '../../tickets/replies/replies.ts';
import { lockTicket } from '../../tickets/tickets.ts';
import { decideReceived } from '../log/decide.ts';
import { processReceived } from './process.ts';

const ground = useGround();
const FROM = { envelopeFrom: 'ann@customer.example', ...PROVEN };

async function solvedTicket() {
  const desk = await openMailDesk(ground);
  allow(desk.zone, 'customer.example');
  const { ticket_id } = await desk.receive(mail({ 'Message-ID': '<a@customer.example>' }), FROM);
  const ticketId = ticket_id as number;
  const reply = await desk.ctx.transaction(async (tx) =>
    replyToTicket(tx, await lockTicket(tx, ticketId), {
      type: 'public',
      body: 'Done.',
      author: { type: 'system', id: null, name: 'System' },
      status: 'solved',
    }),
  );
  return { ...desk, ticketId, replyId: reply.id };
}
const IN_THREAD = { References: '<a@customer.example>' };

it('an out-of-office reply is kept and does not reopen the ticket; alone it is ignored', async () => {
  const desk = await solvedTicket();
  const away = { 'Auto-Submitted': 'auto-replied', Subject: 'Out of office' };
  expect(await desk.receive(mail({ ...IN_THREAD, ...away }, 'Away.'), FROM)).toMatchObject({
    state: 'reply',
    reason: 'automatic',
  });
  expect(await desk.ticket(desk.ticketId)).toMatchObject({ status: 'solved' });
  expect(await desk.receive(mail(away, 'Away.'), FROM)).toMatchObject({
    state: 'ignored',
    reason: 'auto_reply',
  });
  await desk.receive(mail(IN_THREAD, 'Not yet!'), FROM);
  expect(await desk.ticket(desk.ticketId)).toMatchObject({ status: 'open' });
});

it('a bounce marks exactly the reply that bounced; one with an invented id marks none', async () => {
  const desk = await solvedTicket();
  const id = messageIdOf(desk.ctx.services, 'reply', desk.ctx.site.id, desk.replyId);
  const bounce = (messageId: string) =>
    mail(
      {
        From: 'Mail Delivery <mailer-daemon@mx.example>',
        'Content-Type': 'multipart/report; report-type=delivery-status; boundary=b',
      },
      `--b\nContent-Type: text/plain\n\nNot delivered.\n--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example\n\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 no such user\n--b\nContent-Type: text/rfc822-headers\n\nMessage-ID: <${messageId}@shop.example>\n--b--`,
    );
  const forged = id.replace(/\..*/, `.${'x'.repeat(16)}`);
  expect(await desk.receive(bounce(forged), { envelopeFrom: '' })).toMatchObject({
    state: 'bounce',
    reply_id: null,
  });
  expect(await desk.receive(bounce(id), { envelopeFrom: '' })).toMatchObject({
    state: 'bounce',
    ticket_id: desk.ticketId,
    reply_id: desk.replyId,
  });
  expect((await desk.replies(desk.ticketId)).map(({ mail_state }) => mail_state)).toEqual(['bounced']);
});

it('our own mail that is returned to us is ignored', async () => {
  const desk = await solvedTicket();
  const id = messageIdOf(desk.ctx.services, 'reply', desk.ctx.site.id, desk.replyId);
  expect(await desk.receive(mail({ 'Message-ID': `<${id}@shop.example>` }))).toMatchObject({
    state: 'ignored',
    reason: 'own_mail',
  });
});

it('two machines that answer each other stop after a few rounds', async () => {
  const desk = await solvedTicket();
  const outcomes: string[] = [];
  for (let round = 0; round < 8; round++)
    outcomes.push(
      (await desk.receive(mail(IN_THREAD, `Thanks for your message ${round}`), FROM)).reason ?? 'ok',
    );
  expect(outcomes).toEqual(['ok', 'ok', 'ok', 'ok', 'loop', 'loop', 'loop', 'loop']);
});

it('spam, newsletters and blocked senders are suspended; an accepted one becomes a ticket', async () => {
  const desk = await openMailDesk(ground);
  const spam = await desk.receive(mail({ 'X-Spam-Flag': 'YES' }));
  expect(spam).toMatchObject({ state: 'suspended', reason: 'spam' });
  expect(await desk.receive(mail({ 'List-Unsubscribe': '<https://n.example>' }))).toMatchObject({
    state: 'suspended',
    reason: 'bulk',
  });
  await decideReceived(desk.ctx, { id: spam.id, action: 'accept' });
  await processReceived(desk.ctx, [spam.id]);
  expect(await desk.row(spam.id)).toMatchObject({ state: 'ticket' });
  await desk.ctx.db
    .updateTable('visitors')
    .set({ blocked_at: new Date() })
    .where('site_id', '=', desk.ctx.site.id)
    .execute();
  expect(await desk.receive(mail({}, 'Again'))).toMatchObject({
    state: 'suspended',
    reason: 'blocked_sender',
  });
});
