import { createContext, type Services, type SiteContext } from '../../src/core/context.ts';
import { createEmitter } from '../../src/core/events.ts';
import { processReceived } from '../../src/email/inbound/process.ts';
import { type NewReceived, storeReceived } from '../../src/email/inbound/store.ts';
import type { Ground } from '../ground.ts';
import { silentLog, testServices } from '../harness.ts';

// A site with mailboxes, for the job that processes mails.

/** Records of senders' domains: `name type` → records. */
export type Zone = Record<string, string[] | string[][]>;

export interface MailDesk {
  ctx: SiteContext;
  mailboxId: number;
  /** Its address. */
  address: string;
  zone: Zone;
  addMailbox(address: string): Promise<number>;
  /** Stores a mail and processes it. @returns its row in the log */
  receive(raw: string | Buffer, parts?: Partial<NewReceived>): Promise<LogRow>;
  store(raw: string | Buffer, parts?: Partial<NewReceived>): Promise<number | undefined>;
  row(id: number): Promise<LogRow>;
  /** The public replies of a ticket, oldest first. */
  replies(ticketId: number): Promise<{ author_type: string; body: string; mail_state: string | null }[]>;
  ticket(id: number): Promise<{ subject: string; description: string; status: string; requester_id: number }>;
}

export interface LogRow {
  id: number;
  state: string;
  reason: string | null;
  detail: string | null;
  ticket_id: number | null;
  reply_id: number | null;
}

let sites = 0;

/** A mailbox `help@shopN.example` on the ground's database. */
export async function openMailDesk(
  ground: Pick<Ground, 'db' | 'makeSite'>,
  services: Partial<Services> = {},
): Promise<MailDesk> {
  const operator = await ground.makeSite();
  const domain = `shop${Date.now()}${++sites}.example`;
  const zone: Zone = {};
  const ctx = createContext({
    site: operator.site,
    actor: { kind: 'job' },
    db: ground.db,
    now: () => new Date(),
    log: silentLog,
    services: testServices({
      ...services,
      mailDns: async (name, type) => {
        const records = zone[`${name} ${type}`];
        if (!records) throw Object.assign(new Error('no such record'), { code: 'ENOTFOUND' });
        return records;
      },
    }),
    emitter: createEmitter(() => undefined),
    send: async () => undefined,
  });
  const addMailbox = async (address: string): Promise<number> =>
    (
      await ctx.db
        .insertInto('mailboxes')
        .values({
          site_id: ctx.site.id,
          address,
          incoming: 'smtp',
          has_plus_addresses: true,
          created_at: ctx.now(),
          updated_at: ctx.now(),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  const address = `help@${domain}`;
  const mailboxId = await addMailbox(address);
  const store: MailDesk['store'] = (raw, parts = {}) =>
    storeReceived(ctx, {
      mailboxId,
      route: 'smtp',
      source: null,
      raw: Buffer.isBuffer(raw) ? raw : Buffer.from(raw),
      envelopeTo: address,
      ...parts,
    });
  const row: MailDesk['row'] = (id) =>
    ctx.db
      .selectFrom('received_mails')
      .select(['id', 'state', 'reason', 'detail', 'ticket_id', 'reply_id'])
      .where('site_id', '=', ctx.site.id)
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  return {
    ctx,
    mailboxId,
    address,
    zone,
    addMailbox,
    store,
    row,
    async receive(raw, parts) {
      const id = await store(raw, parts);
      if (id === undefined) throw new Error('the source was stored before');
      const failures = await processReceived(ctx, [id]);
      if (failures.size > 0) throw failures.get(id);
      return row(id);
    },
    replies: (ticketId) =>
      ctx.db
        .selectFrom('ticket_replies')
        .select(['author_type', 'body', 'mail_state'])
        .where('site_id', '=', ctx.site.id)
        .where('ticket_id', '=', ticketId)
        .orderBy('id')
        .execute(),
    ticket: (id) =>
      ctx.db
        .selectFrom('tickets')
        .select(['subject', 'description', 'status', 'requester_id'])
        .where('site_id', '=', ctx.site.id)
        .where('id', '=', id)
        .executeTakeFirstOrThrow(),
  };
}

/** From the host in the zone's SPF record: the sender's domain is proven. */
export const PROVEN = { remoteAddress: '192.0.2.7', helo: 'mx.sender.example' } as const;

/** Lets `PROVEN` send for a domain. */
export function allow(zone: Zone, domain: string): void {
  zone[`${domain} TXT`] = [['v=spf1 ip4:192.0.2.7 -all']];
}

let ids = 0;

/** A plain mail; headers that are undefined are left out. */
export function mail(headers: Record<string, string | undefined>, body = 'Where is my parcel?'): string {
  const all: Record<string, string | undefined> = {
    From: 'Ann Lee <ann@customer.example>',
    To: 'help@shop.example',
    Subject: 'My parcel',
    Date: 'Mon, 02 Nov 2026 10:00:00 +0000',
    'Message-ID': `<m${Date.now()}.${++ids}@customer.example>`,
    'MIME-Version': '1.0',
    'Content-Type': 'text/plain; charset=utf-8',
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`],
  );
  return `${lines.join('\r\n')}\r\n\r\n${body.replaceAll('\n', '\r\n')}\r\n`;
}
