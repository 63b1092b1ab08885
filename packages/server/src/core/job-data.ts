/** What each job carries; the site is added by `ctx.enqueue` and travels with it. */
interface Jobs {
  'bot.answer': { session_id: string };
  'bot.evaluate': { evaluation_id: number };
  /** Questions without an answer are put with those that ask for the same. */
  'bot.group_gaps': Record<string, never>;
  /** A handoff's summary is put in the words of the language model. */
  'bot.summarise_handoff': { handoff_id: number };
  /** A received mail becomes a ticket, a reply or an entry of the log that says why not. */
  'email.process': { received_id: number };
  /** The words of records with a custom field that was archived, restored or deleted are indexed again. */
  'fields.index': { owner: 'tickets' | 'chats'; ids: number[] };
  /** A file that was brought in is looked through, or put in. */
  'imports.work': { import_id: number };
  'inbox.bulk_change': { bulk_change_id: number };
  /** An uploaded file is read. */
  'knowledge.read_file': { document_id: number };
  /** A page or sitemap is read, page by page. */
  'knowledge.read_source': { source_id: number };
  /** A link to choose another password, or the notice that it was changed. */
  'mail.password': { user_id: string; about: 'link' | 'changed' | 'passkey_added' | 'passkey_removed' };
  /** The link of an invitation, which is derived again and not in the queue. */
  'mail.invitation': { invitation_id: number };
  /** Unread replies of a chat in one mail. */
  'mail.chat': { chat_mail_id: number };
  /** An admin is notified that a token expires soon, or has expired. */
  'mail.token_expiry': { token_id: number; agent_id: number; expires_utc: string; about: 'soon' | 'now' };
  /** A mail of a rule or macro, with its texts as the admin wrote them. */
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
  /** One mail about what an agent has missed. */
  'notifications.mail': { mail_id: number };
  /** A push to one browser. */
  'notifications.push': { notification_id: number; device_id: number };
  /** An archive of the site is made, piece by piece. */
  'sites.archive': { archive_id: number };
  /** Due times are computed again by the site's policies. */
  'sla.renew': { after_ticket?: number; after_chat?: number };
  /** Notifies an admin that a rule was disabled. */
  'rules.tell_admin': { rule_id: number; agent_id: number };
  'segments.fill': { segment_id: number };
  /** Training rows become articles. */
  'training.move': Record<never, never>;
  /** An agent has left: what is open of theirs is for anybody. */
  'tickets.release': { agent_id: number };
  /** An agent has left a team, whose unanswered tickets of theirs are for its members. */
  'tickets.leave_team': { agent_id: number; team_id: number };
  'webhooks.resend_dead': { subscription_id: number | null; dead_since: string; dead_until: string };
  /** An admin is told that a subscription was disabled. */
  'webhooks.tell_admin': { subscription_id: number; agent_id: number };
}

export type JobName = keyof Jobs;
export type JobData<N extends JobName> = Jobs[N];

export interface JobOptions {
  /** Of jobs with the same key only one waits at a time; one that has begun does not keep the next from waiting. */
  key?: string;
  startAfterS?: number;
}
