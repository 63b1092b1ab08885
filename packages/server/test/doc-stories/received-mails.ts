import type { Story } from '../doc-story.ts';

const RAW = [
  'From: Rosa Weber <rosa@lamps.example>',
  'To: help@shop.example',
  'Subject: 20% off all lamps',
  'List-Unsubscribe: <https://lamps.example/unsubscribe>',
  '',
  'This week only.',
  '',
].join('\r\n');

export const story: Story = async ({ site }) => {
  const { db } = site.operator;
  const site_id = site.site.id;
  const now = new Date();
  const { id: mailbox_id } = await db
    .insertInto('mailboxes')
    .values({ site_id, address: 'support@shop.example', incoming: 'smtp', created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('received_mails')
    .values({
      site_id,
      mailbox_id,
      route: 'imap',
      received_at: now,
      processed_at: now,
      envelope_from: 'news@lamps.example',
      size: RAW.length,
      raw: Buffer.from(RAW),
      state: 'suspended',
      reason: 'bulk',
      from_address: 'rosa@lamps.example',
      from_name: 'Rosa Weber',
      subject: '20% off all lamps',
      authentication: JSON.stringify({ spf: 'pass', dkim: 'none', dmarc: 'pass', aligned: true }),
      attempts: 1,
    })
    .execute();
  return {};
};
