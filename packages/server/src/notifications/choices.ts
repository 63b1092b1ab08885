import {
  DEFAULT_CHOICES,
  isOpen,
  type NotificationChoices,
  type OfficeHours,
  type ParsedInputOf,
} from '@foyer/protocol';
import type { SiteContext } from '../core/context.ts';

export const DEFAULT_MAIL_AFTER_MINUTES = DEFAULT_CHOICES.mail_after_minutes;

/** The stored choices with defaults for the rest, including kinds that were added later. */
export const withDefaults = (kept: Partial<NotificationChoices> | null): NotificationChoices => ({
  ...DEFAULT_CHOICES,
  ...kept,
  ways: { ...DEFAULT_CHOICES.ways, ...kept?.ways },
});

/** The defaults for an agent without choices, and for an unknown id. */
export async function choicesOf(ctx: SiteContext, agentId: number): Promise<NotificationChoices> {
  const row = await ctx.db
    .selectFrom('notification_choices')
    .select('choices')
    .where('site_id', '=', ctx.site.id)
    .where('agent_id', '=', agentId)
    .executeTakeFirst();
  return withDefaults(row?.choices ?? null);
}

type Changed = ParsedInputOf<'notification_settings.update'>;

/** @param change the changed fields, or a function that derives them from the current choices */
export async function choose(
  ctx: SiteContext,
  agentId: number,
  change: Changed | ((now: NotificationChoices) => Changed),
): Promise<NotificationChoices> {
  return ctx.transaction(async (tx) => {
    // Two tabs may change two fields at once: the lock makes the second see the first one's change.
    await tx.db
      .selectFrom('agents')
      .select('id')
      .where('site_id', '=', tx.site.id)
      .where('id', '=', agentId)
      .forUpdate()
      .execute();
    const now = await choicesOf(tx, agentId);
    const changed = typeof change === 'function' ? change(now) : change;
    const given = Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined));
    const next: NotificationChoices = { ...now, ...given };
    const choices = JSON.stringify(next);
    const updated_at = tx.now();
    await tx.db
      .insertInto('notification_choices')
      .values({ site_id: tx.site.id, agent_id: agentId, choices, updated_at })
      .onConflict((conflict) =>
        conflict.columns(['site_id', 'agent_id']).doUpdateSet({ choices, updated_at }),
      )
      .execute();
    return next;
  });
}

/** Whether the agent's quiet time covers this moment. */
export function isQuiet(
  choices: NotificationChoices,
  agent: { presence: string; officeHours: OfficeHours | null },
  now: Date,
): boolean {
  if (choices.quiet_away && agent.presence === 'away') return true;
  return choices.quiet_closed && agent.officeHours !== null && !isOpen(agent.officeHours, now);
}
