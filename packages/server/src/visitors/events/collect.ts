import { COLLECT_MAX_BYTES, collectBody } from '@foyer/protocol';
import { AppError, invalidInput, issuesOf } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { findBlock } from '../../sites/blocks/find-block.ts';
import { identityOf } from '../attributes.ts';
import { identitySecrets, trustInPage } from '../identity/identity-proof.ts';
import { bringIn, settled } from '../identity/upsert.ts';
import { scopeOf } from '../rows.ts';
import { appendEvents, touchVisitor } from './track.ts';

/** A body that is still text, or already parsed by the entry point. */
function parseBody(body: unknown): unknown {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  if (Buffer.byteLength(text ?? '') > COLLECT_MAX_BYTES) {
    throw new AppError('payload_too_large', 'The body is larger than 64 KiB.');
  }
  if (typeof body !== 'string') return body;
  try {
    return JSON.parse(body);
  } catch {
    throw new AppError('invalid_json', 'The body isn’t valid JSON.');
  }
}

/**
 * Stores identity and events that the SDK sends without an API token. Anybody can send them, so it returns nothing, and
 * on a site that verifies identities an unproven visitor changes no known one. Nothing is stored of blocked visitors.
 * @throws AppError 400 with every issue, 413 over 64 KiB
 */
export async function collect(ctx: SiteContext, body: unknown): Promise<void> {
  const parsed = collectBody.safeParse(parseBody(body));
  if (!parsed.success) throw invalidInput(issuesOf(parsed.error));
  const { key, previous_key, user_hash: userHash, attributes, events } = parsed.data;
  if (await findBlock(ctx, { emails: [identityOf(attributes ?? {}).email] })) return;
  const secrets = await identitySecrets(ctx.db, ctx.site.id, ctx.services.vault, ctx.now());
  const trust = trustInPage(secrets, key, userHash);
  // Merging into a person requires the proof that the site asks for.
  const previousKey = trust === 'unproven' ? undefined : previous_key;
  await ctx.transaction(async (tx) => {
    const scope = scopeOf(tx);
    const told = attributes !== undefined || previousKey !== undefined;
    const found = told
      ? await bringIn(scope, { key, previousKey, ...identityOf(attributes ?? {}), trust })
      : await touchVisitor(scope, key);
    const after = await appendEvents(
      scope,
      found,
      (events ?? []).map(({ id, name, properties, occurred_utc }) => ({
        name,
        properties,
        clientId: id,
        // A browser's clock may be years ahead. Its events are worth keeping anyway.
        occurredAt: new Date(Math.min(Date.parse(occurred_utc), scope.now.getTime())),
      })),
    );
    await settled(scope, after);
  });
}
