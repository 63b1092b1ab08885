import { addAttachments } from '../../attachments/attachments.ts';
import { newMark } from '../../conversations/spam/blocked.ts';
import type { SiteContext } from '../../core/context.ts';
import { copiesAmong, type OwnMailbox } from '../../mail/mailboxes/copies.ts';
import { areAgents } from '../../sites/agents/assignable.ts';
import { findBlock } from '../../sites/blocks/find-block.ts';
import { areTeams } from '../../sites/teams/assignable.ts';
import { insertTickets } from '../../tickets/create.ts';
import { resolveRequesters } from '../../tickets/requester/requester.ts';
import { contentOf, subjectOf } from '../reading/content.ts';
import { asVisitor } from './deliver.ts';
import { addKnown, type Known } from './known.ts';
import { type Incoming, keysOf, type Outcome } from './received.ts';
import { recordMails } from './record-mails.ts';

interface Waiting {
  incoming: Incoming;
  /** Gets the ticket's id. */
  outcome: Outcome;
}

/** The assignee and team of a mailbox that still exist. */
interface Assignment {
  assigneeId: number | null;
  teamId: number | null;
}

/**
 * The new tickets of a batch. Tickets of unrelated mails are created together: tens of mails take hardly more
 * statements than one.
 */
export class NewTickets {
  readonly #tx: SiteContext;
  readonly #known: Known;
  readonly #assignments = new Map<number, Assignment>();
  #waiting: Waiting[] = [];
  #keys = new Set<string>();

  constructor(tx: SiteContext, known: Known) {
    this.#tx = tx;
    this.#known = known;
  }

  /** Whether a mail may repeat, continue or flood one whose ticket isn't created yet. */
  concern(incoming: Incoming): boolean {
    return keysOf(incoming).some((key) => this.#keys.has(key));
  }

  /** Adds a new ticket of the mail's sender. @returns its outcome, which gets its id with `create` */
  add(incoming: Incoming): Outcome {
    const outcome: Outcome = { state: 'ticket' };
    this.#waiting.push({ incoming, outcome });
    for (const key of keysOf(incoming)) this.#keys.add(key);
    return outcome;
  }

  /** Whether an outcome has no id yet. */
  has(outcome: Outcome): boolean {
    return this.#waiting.some((waiting) => waiting.outcome === outcome);
  }

  /** Creates the tickets added since. Later mails may then repeat or continue their mails. */
  async create(): Promise<void> {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    this.#keys = new Set();
    const tx = this.#tx;
    const contents = waiting.map(({ incoming }) => contentOf(incoming));
    const requesters = await resolveRequesters(
      asVisitor(tx, null),
      waiting.map(({ incoming: { mail } }) => ({
        email: mail.from?.address ?? '',
        name: mail.from?.name ?? null,
      })),
      this.#known.requesters,
    );
    const creations = [];
    for (const [at, { incoming }] of waiting.entries()) {
      const { id = 0, ownEmail = null } = requesters[at] ?? {};
      const ticket = await this.#ticketOf(incoming, contents[at]?.body ?? '');
      creations.push({
        tx: asVisitor(tx, id),
        ticket: { ...ticket, requesterId: id, requesterEmail: ownEmail, channel: 'email' as const },
      });
    }
    const rows = await insertTickets(tx, creations);
    await this.#record(waiting, contents, rows);
  }

  async #ticketOf({ mail, mailbox, received }: Incoming, body: string) {
    const subject = subjectOf(mail, body);
    const isAccepted = received.accepted_at !== null;
    const block = isAccepted ? undefined : await findBlock(this.#tx, { text: `${subject}\n${body}` });
    const people = [...mail.to, ...mail.cc];
    return {
      subject,
      description: body,
      ...(await this.#assignmentOf(mailbox)),
      spamLike: block && newMark(this.#tx, block),
      mail: {
        mailbox_id: mailbox.id,
        cc_list: copiesAmong(this.#tx, this.#known.mailboxes, people, [mail.from?.address ?? '']),
        mail_subject: null,
      },
    };
  }

  async #assignmentOf({ id, assignee_id, team_id }: OwnMailbox): Promise<Assignment> {
    const known = this.#assignments.get(id);
    if (known) return known;
    const assigneeId =
      assignee_id !== null && (await areAgents(this.#tx, [assignee_id])) ? assignee_id : null;
    const teamId = team_id !== null && (await areTeams(this.#tx, [team_id])) ? team_id : null;
    this.#assignments.set(id, { assigneeId, teamId });
    return { assigneeId, teamId };
  }

  async #record(
    waiting: readonly Waiting[],
    contents: readonly ReturnType<typeof contentOf>[],
    rows: readonly { id: number }[],
  ): Promise<void> {
    const mails = waiting.flatMap(({ incoming, outcome }, at) => {
      const [content, row] = [contents[at], rows[at]];
      if (!content || !row) throw new Error('a ticket was not created');
      outcome.ticketId = row.id;
      addKnown(this.#known, incoming, outcome);
      return { incoming, content, ticketId: row.id, replyId: null };
    });
    const mailIds = await recordMails(this.#tx, mails);
    for (const [at, { content }] of mails.entries())
      await addAttachments(this.#tx, { mailId: mailIds[at] ?? 0 }, content.files);
  }
}
