import { AppError } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { listSitesOfUser, userOfAgent } from '../agents/agents.ts';

/**
 * Switches two-factor sign-in off for somebody who has lost their device: the password alone is enough again,
 * passkeys are removed, and all sessions end. An admin may do this only for a person who is in no other site, because the others would have
 * to trust this admin; the operator for anybody.
 * @throws AppError 404, 409
 */
export function resetTwoFactor(ctx: SiteContext, agentId: number): Promise<void> {
  return ctx.transaction(async (tx) => {
    const userId = await userOfAgent(tx, agentId);
    if (tx.actor.kind !== 'operator' && (await listSitesOfUser(tx.db, userId)).length > 1) {
      throw new AppError(
        'conflict',
        'This person also works for another site. The server’s owner can reset their sign-in with `npx foyer user reset-two-factor`.',
        { reason: 'two_factor_elsewhere' },
      );
    }
    await tx.db.deleteFrom('auth_two_factors').where('user_id', '=', userId).execute();
    // A lost phone has the person's passkeys too.
    await tx.db.deleteFrom('auth_passkeys').where('user_id', '=', userId).execute();
    await tx.db.deleteFrom('auth_sessions').where('user_id', '=', userId).execute();
    await tx.db
      .updateTable('auth_users')
      .set({ two_factor_enabled: false })
      .where('id', '=', userId)
      .execute();
    await tx.emit({ notices: [{ kind: 'signed_out', userId }] });
  });
}
