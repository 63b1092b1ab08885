/** What each job carries; the site is added by `ctx.enqueue` and travels with it. */
interface Jobs {
  'bot.answer': { session_id: string };
  'bot.evaluate': { evaluation_id: number };
  /** Groups unanswered questions with similar ones. */
  'bot.group_gaps': Record<string, never>;
  /** Rewrites a handoff's summary with the language model. */
  'bot.summarise_handoff': { handoff_id: number };
  /** Turns a received mail into a ticket, a reply, or a log entry with the reason why not. */
  'email.process': { received_id: number };
  /** Reindexes the records with a custom field that was archived, restored or deleted. */
  'fields.index': { owner: 'tickets' | 'chats'; ids: number[] };
  /** Checks or imports an uploaded import file. */
  'imports.work': { import_id: number };
  'inbox.bulk_change': { bulk_change_id: number };
  /** Reads an uploaded file. */
  'knowledge.read_file': { document_id: number };
  /** Reads a page or sitemap, page by page. */
  'knowledge.read_source': { source_id: number };
  /** Sends a link to choose another password, or the notice that it was changed. */
  'mail.password': { user_id: string; about: 'link' | 'changed' | 'passkey_added' | 'passkey_removed' };
  /** Sends the link of an invitation, which is derived again and not in the queue. */
  'mail.invitation': { invitation_id: number };
  /** Sends the unread replies of a chat in one mail. */
  'mail.chat': { chat_mail_id: number };
  /** Notifies an admin that a token expires soon, or has expired. */
  'mail.token_expiry': { token_id: number; agent_id: number; expires_utc: string; about: 'soon' | 'now' };
  /** Sends a mail of a rule or macro, with its texts as the admin wrote them. */
  'mail.action': {
    mail: string;
    to: { agent_id: number } | { address: string };
    ticket_id: number | null;
    session_id: string | null;
    subject: string;
    body: string;
    agent_name: string;
  };
  'mail.reply': { reply_id: number };
  'mail.transcript': { transcript_mail_id: number };
  /** Sends one mail about everything an agent has missed. */
  'notifications.mail': { mail_id: number };
  /** Sends a push to one browser. */
  'notifications.push': { notification_id: number; device_id: number };
  /** Creates an archive of the site, piece by piece. */
  'sites.archive': { archive_id: number };
  /** Computes due times again by the site's policies. */
  'sla.renew': { after_ticket?: number; after_chat?: number };
  /** Notifies an admin that a rule was disabled. */
  'rules.tell_admin': { rule_id: number; agent_id: number };
  'segments.fill': { segment_id: number };
  /** Turns training rows into articles. */
  'training.move': Record<never, never>;
  /** An agent has left: unassigns their open tickets. */
  'tickets.release': { agent_id: number };
  /** An agent has left a team: unassigns their unanswered tickets of the team. */
  'tickets.leave_team': { agent_id: number; team_id: number };
  'webhooks.resend_dead': { subscription_id: number | null; dead_since: string; dead_until: string };
  /** Notifies an admin that a subscription was disabled. */
  'webhooks.tell_admin': { subscription_id: number; agent_id: number };
}

export type JobName = keyof Jobs;
export type JobData<N extends JobName> = Jobs[N];

export interface JobOptions {
  /** Of jobs with the same key only one waits at a time; a running one doesn't count. */
  key?: string;
  startAfterS?: number;
}
