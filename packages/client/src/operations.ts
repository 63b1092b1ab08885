// Made of the registry by `npm run docs`; packages/server/test/client.test.ts tells when it must be run.

/** Each resource of the REST API with its operations, and how they are called. */
export const OPERATIONS = {
  whoami: {
    get: { name: 'whoami.get', resource: 'whoami', method: 'GET', answers: 'one' },
  },
  usage: {
    get: { name: 'usage.get', resource: 'usage', method: 'GET', answers: 'one' },
  },
  rules: {
    list: { name: 'rules.list', resource: 'rules', method: 'GET', answers: 'both' },
    create: { name: 'rules.create', resource: 'rules', method: 'POST', answers: 'one' },
    update: { name: 'rules.update', resource: 'rules', method: 'PATCH', answers: 'one', query: ['id'] },
    delete: { name: 'rules.delete', resource: 'rules', method: 'DELETE', answers: 'one' },
  },
  ruleTrials: {
    try: { name: 'rules.try', resource: 'rule_trials', method: 'POST', answers: 'one' },
  },
  ruleRuns: {
    list: { name: 'rule_runs.list', resource: 'rule_runs', method: 'GET', answers: 'page' },
  },
  teams: {
    list: { name: 'teams.list', resource: 'teams', method: 'GET', answers: 'both' },
    create: { name: 'teams.create', resource: 'teams', method: 'POST', answers: 'one' },
    update: { name: 'teams.update', resource: 'teams', method: 'PATCH', answers: 'one', query: ['id'] },
    delete: { name: 'teams.delete', resource: 'teams', method: 'DELETE', answers: 'one' },
  },
  fields: {
    list: { name: 'fields.list', resource: 'fields', method: 'GET', answers: 'both' },
    create: { name: 'fields.create', resource: 'fields', method: 'POST', answers: 'one' },
    update: { name: 'fields.update', resource: 'fields', method: 'PATCH', answers: 'one', query: ['id'] },
    delete: { name: 'fields.delete', resource: 'fields', method: 'DELETE', answers: 'one' },
  },
  blocks: {
    list: { name: 'blocks.list', resource: 'blocks', method: 'GET', answers: 'page' },
    create: { name: 'blocks.create', resource: 'blocks', method: 'POST', answers: 'one' },
    update: { name: 'blocks.update', resource: 'blocks', method: 'PATCH', answers: 'one', query: ['id'] },
    delete: { name: 'blocks.delete', resource: 'blocks', method: 'DELETE', answers: 'one' },
  },
  processingRecord: {
    get: { name: 'processing_record.get', resource: 'processing_record', method: 'GET', answers: 'one' },
  },
  mailboxes: {
    list: { name: 'mailboxes.list', resource: 'mailboxes', method: 'GET', answers: 'both' },
    create: { name: 'mailboxes.create', resource: 'mailboxes', method: 'POST', answers: 'one' },
    update: {
      name: 'mailboxes.update',
      resource: 'mailboxes',
      method: 'PATCH',
      answers: 'one',
      query: ['id'],
    },
    delete: { name: 'mailboxes.delete', resource: 'mailboxes', method: 'DELETE', answers: 'one' },
  },
  receivedMails: {
    list: { name: 'received_mails.list', resource: 'received_mails', method: 'GET', answers: 'both' },
    decide: { name: 'received_mails.decide', resource: 'received_mails', method: 'POST', answers: 'one' },
  },
  blockedSenders: {
    list: { name: 'blocked_senders.list', resource: 'blocked_senders', method: 'GET', answers: 'page' },
    create: { name: 'blocked_senders.create', resource: 'blocked_senders', method: 'POST', answers: 'one' },
    delete: { name: 'blocked_senders.delete', resource: 'blocked_senders', method: 'DELETE', answers: 'one' },
  },
  sentMails: {
    list: { name: 'sent_mails.list', resource: 'sent_mails', method: 'GET', answers: 'both' },
  },
  visitors: {
    list: { name: 'visitors.find', resource: 'visitors', method: 'GET', answers: 'both' },
    upsert: { name: 'visitors.upsert', resource: 'visitors', method: 'POST', answers: 'one' },
    erase: { name: 'visitors.erase', resource: 'visitors', method: 'DELETE', answers: 'one' },
  },
  track: {
    create: { name: 'track.create', resource: 'track', method: 'POST', answers: 'one' },
  },
  redactions: {
    create: { name: 'redactions.create', resource: 'redactions', method: 'POST', answers: 'one' },
  },
  segments: {
    list: { name: 'segments.list', resource: 'segments', method: 'GET', answers: 'both' },
    create: { name: 'segments.create', resource: 'segments', method: 'POST', answers: 'one' },
    update: { name: 'segments.update', resource: 'segments', method: 'PATCH', answers: 'one', query: ['id'] },
    delete: { name: 'segments.delete', resource: 'segments', method: 'DELETE', answers: 'one' },
  },
  proactiveMessages: {
    list: { name: 'proactive_messages.list', resource: 'proactive_messages', method: 'GET', answers: 'both' },
    create: {
      name: 'proactive_messages.create',
      resource: 'proactive_messages',
      method: 'POST',
      answers: 'one',
    },
    update: {
      name: 'proactive_messages.update',
      resource: 'proactive_messages',
      method: 'PATCH',
      answers: 'one',
      query: ['id'],
    },
    delete: {
      name: 'proactive_messages.delete',
      resource: 'proactive_messages',
      method: 'DELETE',
      answers: 'one',
    },
  },
  articles: {
    list: { name: 'articles.list', resource: 'articles', method: 'GET', answers: 'both' },
    create: { name: 'articles.create', resource: 'articles', method: 'POST', answers: 'one' },
    update: { name: 'articles.update', resource: 'articles', method: 'PATCH', answers: 'one', query: ['id'] },
    delete: { name: 'articles.delete', resource: 'articles', method: 'DELETE', answers: 'one' },
  },
  conversationStarters: {
    list: {
      name: 'conversation_starters.list',
      resource: 'conversation_starters',
      method: 'GET',
      answers: 'page',
    },
    create: {
      name: 'conversation_starters.create',
      resource: 'conversation_starters',
      method: 'POST',
      answers: 'one',
    },
    update: {
      name: 'conversation_starters.update',
      resource: 'conversation_starters',
      method: 'PATCH',
      answers: 'one',
      query: ['id'],
    },
    delete: {
      name: 'conversation_starters.delete',
      resource: 'conversation_starters',
      method: 'DELETE',
      answers: 'one',
    },
  },
  knowledgeSources: {
    list: { name: 'knowledge_sources.list', resource: 'knowledge_sources', method: 'GET', answers: 'both' },
    create: {
      name: 'knowledge_sources.create',
      resource: 'knowledge_sources',
      method: 'POST',
      answers: 'one',
    },
    delete: {
      name: 'knowledge_sources.delete',
      resource: 'knowledge_sources',
      method: 'DELETE',
      answers: 'one',
    },
  },
  tags: {
    list: { name: 'tags.list', resource: 'tags', method: 'GET', answers: 'page' },
    create: { name: 'tags.create', resource: 'tags', method: 'POST', answers: 'one' },
    update: { name: 'tags.update', resource: 'tags', method: 'PATCH', answers: 'one', query: ['id'] },
    delete: { name: 'tags.delete', resource: 'tags', method: 'DELETE', answers: 'one' },
  },
  handoffs: {
    list: { name: 'handoffs.list', resource: 'handoffs', method: 'GET', answers: 'page' },
  },
  transcripts: {
    get: { name: 'transcripts.get', resource: 'transcripts', method: 'GET', answers: 'one' },
  },
  feedback: {
    list: { name: 'feedback.list', resource: 'feedback', method: 'GET', answers: 'page' },
  },
  conversations: {
    list: { name: 'conversations.list', resource: 'conversations', method: 'GET', answers: 'both' },
    create: { name: 'conversations.create', resource: 'conversations', method: 'POST', answers: 'one' },
    update: {
      name: 'conversations.update',
      resource: 'conversations',
      method: 'PATCH',
      answers: 'one',
      query: ['session_id'],
    },
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
    list: { name: 'conversation_notes.list', resource: 'conversation_notes', method: 'GET', answers: 'page' },
    create: {
      name: 'conversation_notes.create',
      resource: 'conversation_notes',
      method: 'POST',
      answers: 'one',
    },
  },
  conversationTyping: {
    set: { name: 'conversation_typing.set', resource: 'conversation_typing', method: 'POST', answers: 'one' },
  },
  conversationRead: {
    set: { name: 'conversation_reads.set', resource: 'conversation_read', method: 'POST', answers: 'one' },
  },
  conversationMessages: {
    list: {
      name: 'conversation_messages.list',
      resource: 'conversation_messages',
      method: 'GET',
      answers: 'page',
    },
    create: {
      name: 'conversation_messages.create',
      resource: 'conversation_messages',
      method: 'POST',
      answers: 'one',
    },
  },
  spam: {
    list: { name: 'spam.list', resource: 'spam', method: 'GET', answers: 'page' },
    set: { name: 'spam.set', resource: 'spam', method: 'POST', answers: 'one' },
  },
  slaPolicies: {
    list: { name: 'sla_policies.list', resource: 'sla_policies', method: 'GET', answers: 'both' },
    create: { name: 'sla_policies.create', resource: 'sla_policies', method: 'POST', answers: 'one' },
    update: {
      name: 'sla_policies.update',
      resource: 'sla_policies',
      method: 'PATCH',
      answers: 'one',
      query: ['id'],
    },
    delete: { name: 'sla_policies.delete', resource: 'sla_policies', method: 'DELETE', answers: 'one' },
  },
  tickets: {
    list: { name: 'tickets.list', resource: 'tickets', method: 'GET', answers: 'both' },
    create: { name: 'tickets.create', resource: 'tickets', method: 'POST', answers: 'one' },
    update: { name: 'tickets.update', resource: 'tickets', method: 'PATCH', answers: 'one', query: ['id'] },
    delete: { name: 'tickets.delete', resource: 'tickets', method: 'DELETE', answers: 'one' },
  },
  ticketReply: {
    create: { name: 'ticket_replies.create', resource: 'ticket_reply', method: 'POST', answers: 'one' },
  },
  ticketSnooze: {
    set: { name: 'ticket_snoozes.set', resource: 'ticket_snooze', method: 'POST', answers: 'one' },
  },
  macros: {
    list: { name: 'macros.list', resource: 'macros', method: 'GET', answers: 'both' },
    create: { name: 'macros.create', resource: 'macros', method: 'POST', answers: 'one' },
    update: { name: 'macros.update', resource: 'macros', method: 'PATCH', answers: 'one', query: ['id'] },
    delete: { name: 'macros.delete', resource: 'macros', method: 'DELETE', answers: 'one' },
  },
  savedViews: {
    list: { name: 'saved_views.list', resource: 'saved_views', method: 'GET', answers: 'both' },
    create: { name: 'saved_views.create', resource: 'saved_views', method: 'POST', answers: 'one' },
    update: {
      name: 'saved_views.update',
      resource: 'saved_views',
      method: 'PATCH',
      answers: 'one',
      query: ['id'],
    },
    delete: { name: 'saved_views.delete', resource: 'saved_views', method: 'DELETE', answers: 'one' },
  },
  ticketsBulk: {
    change: { name: 'tickets_bulk.change', resource: 'tickets_bulk', method: 'POST', answers: 'one' },
  },
  portalToken: {
    list: { name: 'portal_links.list', resource: 'portal_token', method: 'GET', answers: 'page' },
    create: { name: 'portal_links.create', resource: 'portal_token', method: 'POST', answers: 'one' },
    delete: { name: 'portal_links.delete', resource: 'portal_token', method: 'DELETE', answers: 'one' },
  },
  reports: {
    get: { name: 'reports.get', resource: 'reports', method: 'GET', answers: 'one' },
  },
  webhookSubscriptions: {
    list: {
      name: 'webhook_subscriptions.list',
      resource: 'webhook_subscriptions',
      method: 'GET',
      answers: 'both',
    },
    create: {
      name: 'webhook_subscriptions.create',
      resource: 'webhook_subscriptions',
      method: 'POST',
      answers: 'one',
    },
    update: {
      name: 'webhook_subscriptions.update',
      resource: 'webhook_subscriptions',
      method: 'PATCH',
      answers: 'one',
      query: ['id'],
    },
    delete: {
      name: 'webhook_subscriptions.delete',
      resource: 'webhook_subscriptions',
      method: 'DELETE',
      answers: 'one',
    },
  },
  webhookDeliveries: {
    list: { name: 'webhook_deliveries.list', resource: 'webhook_deliveries', method: 'GET', answers: 'page' },
    resend: {
      name: 'webhook_deliveries.resend',
      resource: 'webhook_deliveries',
      method: 'POST',
      answers: 'one',
    },
  },
} as const;
