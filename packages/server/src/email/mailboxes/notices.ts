import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { notify, settle } from '../../notifications/notify.ts';
import { adminIds } from '../../sites/agents/admins.ts';

/** Notifies the site's admins that a mailbox fails; once until it works again. */
export async function noticeFailing(tx: SiteContext, id: number): Promise<void> {
  await sql`
    update mailboxes set failing_noticed_at = ${tx.now()}
    where site_id = ${tx.site.id} and id = ${id}`.execute(tx.db);
  await notify(tx, { kind: 'mailbox_failing', agentIds: await adminIds(tx) });
}

/** Ends the notifications once no mailbox is failing that the site's admins were notified about. */
export const settleFailing = (tx: SiteContext): Promise<void> =>
  settle(
    tx,
    sql`n.kind = 'mailbox_failing' and not exists (
      select from mailboxes m where m.site_id = n.site_id and m.failing_noticed_at is not null)`,
  );
