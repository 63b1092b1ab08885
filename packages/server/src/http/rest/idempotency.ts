import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { AppError, invalidInput } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import type { AnyOperation } from '../../core/operation.ts';
import { runOperation } from '../../registry.ts';

/** How long the first response to a key is kept. */
export const IDEMPOTENCY_HOURS = 24;
const FORGET_BATCH = 100;

const hash = (operation: AnyOperation, input: unknown): Buffer =>
  createHash('sha256')
    .update(`${operation.name}\n${JSON.stringify(input)}`)
    .digest();

/**
 * Each new key deletes some old ones, so that the table contains about a day. Rows locked by another call are
 * skipped.
 */
async function forgetExpired({ db }: SiteContext, before: Date): Promise<void> {
  await sql`
    delete from idempotency_keys where (site_id, token_id, key) in (
      select site_id, token_id, key from idempotency_keys where created_at < ${before}
      order by created_at limit ${FORGET_BATCH} for update skip locked
    )`.execute(db);
}

/**
 * Runs a POST once per key and token. The key's row, the work and its response are one transaction: a concurrent
 * call waits on the row for the first, and a failed first call leaves no row. Responses are encrypted, because some
 * contain a new secret.
 */
export async function runOnce(
  ctx: SiteContext,
  key: string,
  operation: AnyOperation,
  input: unknown,
): Promise<unknown> {
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalidInput([{ path: 'Idempotency-Key', message: 'must be 1 to 255 printable ASCII characters' }]);
  }
  if (ctx.actor.kind !== 'token') return runOperation(operation, ctx, input);
  const tokenId = ctx.actor.tokenId;
  const requestHash = hash(operation, input);
  const { id: siteId } = ctx.site;
  return ctx.transaction(async (tx) => {
    const mine = { site_id: siteId, token_id: tokenId, key };
    await forgetExpired(tx, new Date(tx.now().getTime() - IDEMPOTENCY_HOURS * 3_600_000));
    const made = await tx.db
      .insertInto('idempotency_keys')
      .values({ ...mine, request_hash: requestHash, created_at: tx.now() })
      .onConflict((conflict) => conflict.doNothing())
      .returning('key')
      .executeTakeFirst();
    const row = tx.db
      .selectFrom('idempotency_keys')
      .where('site_id', '=', siteId)
      .where('token_id', '=', tokenId)
      .where('key', '=', key);
    if (!made) {
      const first = await row.select(['request_hash', 'answer']).executeTakeFirstOrThrow();
      if (!first.request_hash.equals(requestHash) || !first.answer) {
        throw new AppError('conflict', 'This Idempotency-Key was already used with a different request.');
      }
      return JSON.parse(tx.services.vault.open(first.answer));
    }
    const output = await runOperation(operation, tx, input);
    await tx.db
      .updateTable('idempotency_keys')
      .set({ answer: tx.services.vault.seal(JSON.stringify(output)) })
      .where('site_id', '=', siteId)
      .where('token_id', '=', tokenId)
      .where('key', '=', key)
      .execute();
    return output;
  });
}
