// Made of the registry by `npm run docs`; packages/server/test/client.test.ts tells when it must be run.

/** Each resource of the REST API with its operations, and how they are called. */
export const OPERATIONS = {
  whoami: {
    get: { name: 'whoami.get', method: 'GET', answers: 'one' },
  },
  usage: {
    get: { name: 'usage.get', method: 'GET', answers: 'one' },
  },
  rules: {
    list: { name: 'rules.list', method: 'GET', answers: 'both' },
    create: { name: 'rules.create', method: 'POST', answers: 'one' },
    update: { name: 'rules.update', method: 'PATCH', answers: 'one', query: ['id'] },
    delete: { name: 'rules.delete', method: 'DELETE', answers: 'one' },
  },
  ruleTrials: {
    try: { name: 'rules.try', resource: 'rule_trials', method: 'POST', answers: 'one' },
  },
  ruleRuns: {
    list: { name: 'rule_runs.list', method: 'GET', answers: 'page' },
  },
  teams: {
    list: { name: 'teams.list', method: 'GET', answers: 'both' },
    create: { name: 'teams.create', method: 'POST', answers: 'one' },
    update: { name: 'teams.update', method: 'PATCH', answers: 'one', query: ['id'] },
    delete: { name: 'teams.delete', method: 'DELETE', answers: 'one' },
  },
  fields: {
    list: { name: 'fields.list', method: 'GET', answers: 'both' },
    create: { name: 'fields.create', method: 'POST', answers: 'one' },
    update: { name: 'fields.update', method: 'PATCH', answers: 'one', query: ['id'] },
    delete: { name: 'fields.delete', method: 'DELETE', answers: 'one' },
  },
  blocks: {
    list: { name: 'blocks.list', method: 'GET', answers: 'page' },
    create: { name: 'blocks.create', method: 'POST', answers: 'one' },
    update: { name: 'blocks.update', method: 'PATCH', answers: 'one', query: ['id'] },
    delete: { name: 'blocks.delete', method: 'DELETE', answers: 'one' },
  },
  processingRecord: {
    get: { name: 'processing_record.get', method: 'GET', answers: 'one' },
  },
  mailboxes: {
    list: { name: 'mailboxes.list', method: 'GET', answers: 'both' },
    create: { name: 'mailboxes.create', method: 'POST', answers: 'one' },
    update: { name: 'mailboxes.update', method: 'PATCH', answers: 'one', query: ['id'] },
    delete: { name: 'mailboxes.delete', method: 'DELETE', answers: 'one' },
  },
  receivedMails: {
    list: { name: 'received_mails.list', method: 'GET', answers: 'both' },
    decide: { name: 'received_mails.decide', method: 'POST', answers: 'one' },
  },
  blockedSenders: {
    list: { name: 'blocked_senders.list', method: 'GET', answers: 'page' },
    create: { name: 'blocked_senders.create', method: 'POST', answers: 'one' },
    delete: { name: 'blocked_senders.delete', method: 'DELETE', answers: 'one' },
  },
  sentMails: {
    list: { name: 'sent_mails.list', method: 'GET', answers: 'both' },
  },
  visitors: {
    list: { name: 'visitors.find', method: 'GET', answers: 'both' },
    upsert: { name: 'visitors.upsert', method: 'POST', answers: 'one' },
    erase: { name: 'visitors.erase', method: 'DELETE', answers: 'one' },
  },
  track: {
    create: { name: 'track.create', method: 'POST', answers: 'one' },
  },
  redactions: {
    create: { name: 'redactions.create', method: 'POST', answers: 'one' },
  },
  segments: {
    list: { name: 'segments.list', method: 'GET', answers: 'both' },
    create: { name: 'segments.create', method: 'POST', answers: 'one' },
    update: { name: 'segments.update', method: 'PATCH', answers: 'one', query: ['id'] },
    delete: { name: 'segments.delete', method: 'DELETE', answers: 'one' },
  },
  proactiveMessages: {
    list: { name: 'proactive_messages.list', method: 'GET', answers: 'both' },
    create: { name: 'proactive_messages.create', method: 'POST', answers: 'one' },
    update: { name: 'proactive_messages.update', method: 'PATCH', answers: 'one', query: ['id'] },
    delete: { name: 'proactive_messages.delete', method: 'DELETE', answers: 'one' },
  },
  articles: {
    list: { name: 'articles.list', method: 'GET', answers: 'both' },
    create: { name: 'articles.create', method: 'POST', answers: 'one' },
    update: { name: 'articles.update', method: 'PATCH', answers: 'one', query: ['id'] },
    delete: { name: 'articles.delete', method: 'DELETE', answers: 'one' },
  },
  conversationStarters: {
    list: { name: 'conversation_starters.list', method: 'GET', answers: 'page' },
    create: { name: 'conversation_starters.create', method: 'POST', answers: 'one' },
    update: { name: 'conversation_starters.update', method: 'PATCH', answers: 'one', query: ['id'] },
    delete: { name: 'conversation_starters.delete', method: 'DELETE', answers: 'one' },
  },
  knowledgeSources: {
    list: { name: 'knowledge_sources.list', method: 'GET', answers: 'both' },
    create: { name: 'knowledge_sources.create', method: 'POST', answers: 'one' },
    delete: { name: 'knowledge_sources.delete', method: 'DELETE', answers: 'one' },
  },
  tags: {
    list: { name: 'tags.list', method: 'GET', answers: 'page' },
    create: { name: 'tags.create', method: 'POST', answers: 'one' },
    update: { name: 'tags.update', method: 'PATCH', answers: 'one', query: ['id'] },
    delete: { name: 'tags.delete', method: 'DELETE', answers: 'one' },
  },
  handoffs: {
    list: { name: 'handoffs.list', method: 'GET', answers: 'page' },
  },
  transcripts: {
    get: { name: 'transcripts.get', method: 'GET', answers: 'one' },
  },
  feedback: {
    list: { name: 'feedback.list', method: 'GET', answers: 'page' },
  },
  conversations: {
    list: { name: 'conversations.list', method: 'GET', answers: 'both' },
    create: { name: 'conversations.create', method: 'POST', answers: 'one' },
    update: { name: 'conversations.update', method: 'PATCH', answers: 'one', query: ['session_id'] },
  },
  conversationSnooze: {
    set: {
      name: 'conversation_snoozes.set',
      resource: 'conversation_snooze',
      method: 'POST',
      answers: 'one',
    },
  },
  conversationNotes: {
    list: { name: 'conversation_notes.list', method: 'GET', answers: 'page' },
    create: { name: 'conversation_notes.create', method: 'POST', answers: 'one' },
  },
  conversationTyping: {
    set: { name: 'conversation_typing.set', method: 'POST', answers: 'one' },
  },
  conversationRead: {
    set: { name: 'conversation_reads.set', resource: 'conversation_read', method: 'POST', answers: 'one' },
  },
  conversationMessages: {
    list: { name: 'conversation_messages.list', method: 'GET', answers: 'page' },
    create: { name: 'conversation_messages.create', method: 'POST', answers: 'one' },
  },
  exports: {
    get: { name: 'exports.get', method: 'GET', answers: 'one' },
  },
  spam: {
    list: { name: 'spam.list', method: 'GET', answers: 'page' },
    set: { name: 'spam.set', method: 'POST', answers: 'one' },
  },
  slaPolicies: {
    list: { name: 'sla_policies.list', method: 'GET', answers: 'both' },
    create: { name: 'sla_policies.create', method: 'POST', answers: 'one' },
    update: { name: 'sla_policies.update', method: 'PATCH', answers: 'one', query: ['id'] },
    delete: { name: 'sla_policies.delete', method: 'DELETE', answers: 'one' },
  },
  tickets: {
    list: { name: 'tickets.list', method: 'GET', answers: 'both' },
    create: { name: 'tickets.create', method: 'POST', answers: 'one' },
    update: { name: 'tickets.update', method: 'PATCH', answers: 'one', query: ['id'] },
    delete: { name: 'tickets.delete', method: 'DELETE', answers: 'one' },
  },
  ticketReply: {
    create: { name: 'ticket_replies.create', resource: 'ticket_reply', method: 'POST', answers: 'one' },
  },
  ticketSnooze: {
    set: { name: 'ticket_snoozes.set', resource: 'ticket_snooze', method: 'POST', answers: 'one' },
  },
  macros: {
    list: { name: 'macros.list', method: 'GET', answers: 'both' },
    create: { name: 'macros.create', method: 'POST', answers: 'one' },
    update: { name: 'macros.update', method: 'PATCH', answers: 'one', query: ['id'] },
    delete: { name: 'macros.delete', method: 'DELETE', answers: 'one' },
  },
  savedViews: {
    list: { name: 'saved_views.list', method: 'GET', answers: 'both' },
    create: { name: 'saved_views.create', method: 'POST', answers: 'one' },
    update: { name: 'saved_views.update', method: 'PATCH', answers: 'one', query: ['id'] },
    delete: { name: 'saved_views.delete', method: 'DELETE', answers: 'one' },
  },
  ticketsBulk: {
    change: { name: 'tickets_bulk.change', method: 'POST', answers: 'one' },
  },
  portalToken: {
    list: { name: 'portal_links.list', resource: 'portal_token', method: 'GET', answers: 'page' },
    create: { name: 'portal_links.create', resource: 'portal_token', method: 'POST', answers: 'one' },
    delete: { name: 'portal_links.delete', resource: 'portal_token', method: 'DELETE', answers: 'one' },
  },
  reports: {
    get: { name: 'reports.get', method: 'GET', answers: 'one' },
  },
  webhookSubscriptions: {
    list: { name: 'webhook_subscriptions.list', method: 'GET', answers: 'both' },
    create: { name: 'webhook_subscriptions.create', method: 'POST', answers: 'one' },
    update: { name: 'webhook_subscriptions.update', method: 'PATCH', answers: 'one', query: ['id'] },
    delete: { name: 'webhook_subscriptions.delete', method: 'DELETE', answers: 'one' },
  },
  webhookDeliveries: {
    list: { name: 'webhook_deliveries.list', method: 'GET', answers: 'page' },
    resend: { name: 'webhook_deliveries.resend', method: 'POST', answers: 'one' },
  },
} as const;
