import type { MailDecision, OutputOf, ParsedInputOf } from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import { domainOf } from '../../base/email-address.ts';
import { AppError, notFound } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { queueReceived } from '../inbound/store.ts';
import { blockSender, unblockSenders } from './blocked-senders.ts';
import { type LoggedRow, loggedRows, presentReceived } from './received-rows.ts';
import { sourceDeleted } from './source.ts';

const isBlocked = ({ state, reason }: LoggedRow): boolean =>
  state === 'rejected' && reason === 'blocked_sender';

/** Whether a mail may have been withheld by mistake: processing it again would give the same result. */
const isAcceptable = (row: LoggedRow): boolean =>
  row.state === 'suspended' || isBlocked(row) || (row.state === 'ignored' && row.reason === 'auto_reply');

/** Never one whose ticket or chat exists: its text is there already. */
const isRepeatable = ({ state, ticket_id, session_id }: LoggedRow): boolean =>
  ['failed', 'rejected', 'ignored'].includes(state) ||
  (['ticket', 'reply'].includes(state) && ticket_id === null) ||
  (state === 'chat' && session_id === null);

const isBlockable = (row: LoggedRow): boolean => row.state === 'suspended' && row.from_address !== null;

const APPLIES: Readonly<Record<MailDecision, (row: LoggedRow) => boolean>> = {
  accept: isAcceptable,
  block_address: isBlockable,
  block_domain: isBlockable,
  undo_block: (row) => isBlocked(row) && row.suspended_for !== null,
  process_again: isRepeatable,
};

const needsSource = (action: MailDecision): boolean => action === 'accept' || action === 'process_again';

/** Locks the mails in the order of their ids, so that concurrent decisions neither repeat each other nor deadlock. */
async function lockMails(tx: SiteContext, ids: readonly number[]): Promise<LoggedRow[]> {
  await sql`
    select from received_mails where site_id = ${tx.site.id} and id = any (${ids}::bigint[])
    order by id for no key update`.execute(tx.db);
  return loggedRows(tx, [...new Set(ids)]);
}

const CHANGE: Readonly<Record<MailDecision, (tx: SiteContext) => RawBuilder<unknown>>> = {
  accept: (tx) => sql`state = 'waiting', reason = null, detail = null, accepted_at = ${tx.now()},
    suspended_for = case when state = 'suspended' then reason else suspended_for end`,
  process_again: () => sql`state = 'waiting', reason = null, detail = null`,
  block_address: (tx) =>
    sql`state = 'rejected', suspended_for = reason, reason = 'blocked_sender', processed_at = ${tx.now()}`,
  block_domain: (tx) => CHANGE.block_address(tx),
  undo_block: () => sql`state = 'suspended', reason = suspended_for, suspended_for = null, detail = null`,
};

const senderOf = ({ from_address }: LoggedRow, action: MailDecision): string => {
  const address = (from_address ?? '').toLowerCase();
  return action === 'block_domain' ? domainOf(address) : address;
};

/**
 * Records with the mails which address or domain this has blocked, because only that can be undone: others were blocked
 * before.
 */
async function blockSenders(
  tx: SiteContext,
  action: MailDecision,
  rows: readonly LoggedRow[],
): Promise<void> {
  for (const [sender, mails] of Map.groupBy(rows, (row) => senderOf(row, action))) {
    if (!(await blockSender(tx, sender))) continue;
    await tx.db
      .updateTable('received_mails')
      .set({ detail: sender })
      .where('site_id', '=', tx.site.id)
      .where(
        'id',
        'in',
        mails.map(({ id }) => id),
      )
      .execute();
  }
}

async function applyTo(tx: SiteContext, action: MailDecision, rows: readonly LoggedRow[]): Promise<void> {
  const ids = rows.map(({ id }) => id);
  await sql`
    update received_mails set ${CHANGE[action](tx)}
    where site_id = ${tx.site.id} and id = any (${ids}::bigint[])`.execute(tx.db);
  if (action === 'block_address' || action === 'block_domain') await blockSenders(tx, action, rows);
  if (action === 'undo_block')
    await unblockSenders(
      tx,
      rows.flatMap(({ detail }) => detail ?? []),
    );
  await tx.emit({ notices: [{ kind: 'suspended' }] });
  for (const { id } of rows) {
    if (needsSource(action)) await queueReceived(tx, id);
    await tx.emit({ audit: { subject: 'received_mail', subjectId: id, action: `received_mails.${action}` } });
  }
}

/** Why nothing was decided: somebody else was faster, or the raw message was deleted. */
const refusal = (action: MailDecision, row: LoggedRow): AppError =>
  APPLIES[action](row)
    ? sourceDeleted()
    : new AppError('conflict', `This doesn’t apply to an email with the outcome “${row.state}”.`, {
        reason: 'mail_decided',
      });

const takes = (action: MailDecision, row: LoggedRow): boolean =>
  APPLIES[action](row) && (row.has_source || !needsSource(action));

/**
 * Decides about those of these mails to which the action applies. The others are skipped: somebody else may have
 * decided meanwhile, or they were deleted.
 */
export function decideAll(
  ctx: SiteContext,
  { ids, action }: ParsedInputOf<'received_mails.decide_all'>,
): Promise<OutputOf<'received_mails.decide_all'>> {
  return ctx.transaction(async (tx) => {
    const rows = await lockMails(tx, ids);
    const decided = rows.filter((row) => takes(action, row));
    if (decided.length > 0) await applyTo(tx, action, decided);
    const changed = await loggedRows(
      tx,
      decided.map(({ id }) => id),
    );
    return {
      decided: changed.map(presentReceived),
      skipped: rows.filter((row) => !takes(action, row)).map(presentReceived),
    };
  });
}

/** Decides about one mail of the log. @throws AppError 404, 409 if the action doesn't apply to it */
export function decideReceived(
  ctx: SiteContext,
  { id, action }: ParsedInputOf<'received_mails.decide'>,
): Promise<OutputOf<'received_mails.decide'>> {
  return ctx.transaction(async (tx) => {
    const [row] = await lockMails(tx, [id]);
    if (!row) throw notFound('email');
    if (!takes(action, row)) throw refusal(action, row);
    await applyTo(tx, action, [row]);
    const [changed] = await loggedRows(tx, [id]);
    return presentReceived(changed ?? row);
  });
}
