import { randomUUID } from 'node:crypto';
import { ACTION_SUBJECT_MAX, type MacroAction, TICKET_TEXT_MAX, type VisitorRef } from '@foyer/protocol';
import type { PlaceholderValues } from '@foyer/protocol/values/macro-text';
import { AppError, notFound } from '../../base/errors.ts';
import { blockVisitor } from '../../conversations/block-visitor.ts';
import { assertHas } from '../../core/access/permissions.ts';
import { agentRefOf } from '../../core/actor.ts';
import type { SiteContext } from '../../core/context.ts';
import { sendsMail } from '../../mail/site-mailer.ts';
import { holdTeam } from '../../sites/teams/assignable.ts';
import { filledText } from './filled-text.ts';

type OutsideAction = Extract<MacroAction, { type: 'send_email' | 'call_webhook' | 'block' }>;
type Sending = Extract<MacroAction, { type: 'send_email' }>;

/** Who gets a mail: an agent at the address that they sign in with, or anybody. */
export type MailRecipient = { agent_id: number } | { address: string };

/** The chat or ticket that an action is about. */
export interface ActionSubject {
  ticketId: number | null;
  sessionId: string | null;
  visitor: VisitorRef;
  /** The values for placeholders in texts. */
  values: PlaceholderValues;
}

async function recipients(tx: SiteContext, { team_id, address }: Sending): Promise<MailRecipient[]> {
  if (team_id === undefined) return address === undefined ? [] : [{ address }];
  const team = await holdTeam(tx, team_id);
  const members = await tx.db
    .selectFrom('team_members as m')
    .innerJoin('agents as a', (join) =>
      join.onRef('a.site_id', '=', 'm.site_id').onRef('a.id', '=', 'm.agent_id'),
    )
    .select('a.id')
    .where('m.site_id', '=', tx.site.id)
    .where('m.team_id', '=', team_id)
    .where('a.removed_at', 'is', null)
    .orderBy('a.id')
    .execute();
  if (members.length === 0)
    throw new AppError(
      'conflict',
      `Nobody gets the email: the team ${JSON.stringify(team.name)} has no members.`,
      { reason: 'nobody_in_team', values: { name: team.name } },
    );
  return members.map(({ id }) => ({ agent_id: id }));
}

/**
 * Queues a mail to each recipient. The queue has the texts as the admin wrote them: they are filled when the mail is
 * sent, so no customer's data stays in the queue.
 */
async function queueMails(tx: SiteContext, subject: ActionSubject, action: Sending): Promise<void> {
  if (!(await sendsMail(tx)))
    throw new AppError('conflict', 'No mail server is set up.', { reason: 'no_mail_server' });
  // Refused here, so that the rule's log or the agent gets the error.
  filledText(action.subject, subject.values, ACTION_SUBJECT_MAX);
  filledText(action.body, subject.values, TICKET_TEXT_MAX);
  const agentName = String(subject.values['agent.name'] ?? '');
  const mail = randomUUID();
  for (const to of await recipients(tx, action))
    await tx.enqueue('mail.action', {
      mail,
      to,
      ticket_id: subject.ticketId,
      session_id: subject.sessionId,
      subject: action.subject,
      body: action.body,
      agent_name: agentName,
    });
}

async function callWebhook(tx: SiteContext, subject: ActionSubject, id: number): Promise<void> {
  const webhook = await tx.db
    .selectFrom('webhook_subscriptions')
    .select(['url', 'disabled_at'])
    .where('site_id', '=', tx.site.id)
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirstOrThrow(() => notFound('webhook subscription'));
  if (webhook.disabled_at)
    throw new AppError('conflict', `The webhook to ${webhook.url} is disabled.`, {
      reason: 'webhook_disabled',
    });
  await tx.emit({
    webhook: {
      event: 'webhook_called',
      body: {
        session_id: subject.sessionId,
        ticket_id: subject.ticketId,
        visitor: subject.visitor,
        rule_id: tx.cause?.chain.at(-1) ?? null,
        by: agentRefOf(tx),
      },
    },
    onlyTo: id,
  });
}

async function block(tx: SiteContext, { visitor }: ActionSubject): Promise<void> {
  assertHas(tx, 'people');
  if (visitor.key === null)
    throw new AppError('conflict', 'This person’s data was erased.', { reason: 'person_erased' });
  await blockVisitor(tx, visitor.key);
}

/**
 * Runs an action that changes neither the chat nor the ticket itself, in the caller's transaction: nothing is sent
 * unless it commits.
 * @throws AppError 404 for an unknown team or webhook, 409 if nothing can be sent, 403 for an agent who may not block
 *   people
 */
export async function actOutside(
  tx: SiteContext,
  subject: ActionSubject,
  action: OutsideAction,
): Promise<void> {
  switch (action.type) {
    case 'send_email':
      return queueMails(tx, subject, action);
    case 'call_webhook':
      return callWebhook(tx, subject, action.webhook_id);
    case 'block':
      return block(tx, subject);
  }
}
