import type { ParsedInputOf, Ticket } from '@foyer/protocol';
import { AppError, notFound } from '../../base/errors.ts';
import { lockSession } from '../../conversations/sessions.ts';
import type { SiteContext } from '../../core/context.ts';
import { canSend, findMailbox, onlyMailboxId } from '../../mail/mailboxes/mailboxes.ts';
import { assignableAgent } from '../../sites/agents/assignable.ts';
import { readChanges } from '../../sites/fields/field-values.ts';
import { holdTeam } from '../../sites/teams/assignable.ts';
import { insertTicket } from '../create.ts';
import { authorOf } from '../replies/authors.ts';
import { addReply } from '../replies/replies.ts';
import { resolveRequester } from '../requester/requester.ts';
import { presentTicket } from '../tickets.ts';

type Input = ParsedInputOf<'tickets.create'>;

async function mailboxOf(tx: SiteContext, { mailbox_id }: Input): Promise<number | null> {
  if (mailbox_id === undefined || mailbox_id === null) return onlyMailboxId(tx);
  if (!(await findMailbox(tx, mailbox_id))) throw notFound('mailbox');
  return mailbox_id;
}

/** A refusal comes before anything is created: otherwise a ticket would claim a mail that can't be sent. */
async function checkSendable(
  tx: SiteContext,
  email: string | null | undefined,
  mailboxId: number | null,
): Promise<void> {
  if (!email)
    throw new AppError('conflict', 'This customer has no email address, so nothing can be sent.', {
      reason: 'no_address',
    });
  if (!(await canSend(tx, mailboxId)))
    throw new AppError('conflict', 'No mail server is set up, so nothing can be sent.', {
      reason: 'no_mail_server',
    });
}

/**
 * Creates a ticket for a requester, and their visitor if necessary. With `send`, its text is the team's first reply, by
 * email, and the ticket waits for the answer.
 * @throws AppError 404 for an unknown chat, agent or mailbox, and 409 if it can't be sent
 */
export async function createTicket(ctx: SiteContext, input: Input): Promise<Ticket> {
  return ctx.transaction(async (tx) => {
    const { session_id, assignee_id, requester, send = false, cc, bcc } = input;
    const session = session_id ? await lockSession(tx, session_id) : undefined;
    const assignee = assignee_id ? await assignableAgent(tx, assignee_id) : undefined;
    const team = input.team_id ? await holdTeam(tx, input.team_id) : undefined;
    const fields = await readChanges(tx, 'tickets', {}, input.fields);
    const mailbox_id = await mailboxOf(tx, input);
    const { id, ownEmail } = await resolveRequester(tx, requester);
    const row = await insertTicket(tx, {
      subject: input.subject,
      description: send ? '' : input.body,
      requesterId: id,
      requesterEmail: ownEmail,
      conversationId: session?.id ?? null,
      assigneeId: assignee?.id ?? null,
      teamId: team?.id ?? null,
      priority: input.priority ?? 'normal',
      externalId: input.external_id ?? null,
      tags: input.tags ?? [],
      fields,
      mail: { mailbox_id, cc_list: [], mail_subject: null },
    });
    if (session) await tx.emit({ notices: [{ kind: 'session', sessionId: session.session_id }] });
    if (!send) return presentTicket(row);
    await checkSendable(tx, row.requester_email, mailbox_id);
    const sent = await addReply(tx, row, {
      type: 'public',
      body: input.body,
      author: await authorOf(tx),
      status: 'pending',
      copies: { cc, bcc },
    });
    return presentTicket(sent.row);
  });
}
