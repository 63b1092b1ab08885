import { sql } from 'kysely';
import type { Story } from '../doc-story.ts';

export const story: Story = async ({ post, site }) => {
  const { db } = site.operator;
  const { id } = await post('tickets', {
    subject: 'My lamp flickers',
    body: 'Since yesterday.',
    requester: { key: 'user_42', email: 'maya@example.com', name: 'Maya' },
  });
  await sql`
    with box as (
      insert into mailboxes (site_id, address, incoming, created_at, updated_at)
      values (${site.site.id}, 'orders@shop.example', 'smtp', now(), now()) returning id),
    reply as (
      insert into ticket_replies (site_id, ticket_id, type, body, author_type, mail_state, mail_error)
      values (${site.site.id}, ${id}, 'public', 'Try another bulb.', 'system', 'refused', '550 no such mailbox') returning id),
    mail as (
      insert into ticket_mails (site_id, ticket_id, reply_id, mailbox_id, is_outgoing, message_id, subject, from_address, to_list, created_at)
      select ${site.site.id}, ${id}, reply.id, box.id, true, 'r1.4f2a9c@shop.example', 'Re: My lamp flickers', 'orders@shop.example',
        '[{"name": "Maya", "address": "maya@example.com"}]', now() from box, reply returning id)
    insert into mail_attempts (site_id, ticket_id, mail_id, outcome, answer, attempted_at)
    select ${site.site.id}, ${id}, mail.id, outcome, answer, now() from mail, (values
      ('delayed', '451 try again later'), ('refused', '550 no such mailbox')) as a (outcome, answer)`.execute(
    db,
  );
  return { tickets: [id] };
};
