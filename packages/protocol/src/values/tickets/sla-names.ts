/** What an SLA promises: the first answer, each further answer, and that the request is solved. */
export const SLA_TARGETS = ['first_response', 'next_response', 'resolution'] as const;
export type SlaTarget = (typeof SLA_TARGETS)[number];
/** What a policy can be for. */
export const SLA_KINDS = ['tickets', 'chats'] as const;
export type SlaKind = (typeof SLA_KINDS)[number];
/** Whose office hours count: the team's, or else the site's; always the site's; or every hour of the day. */
export const SLA_HOURS = ['team', 'site', 'always'] as const;
/** What stops the time to resolution. */
export const SLA_PAUSES = ['pending', 'hold', 'snoozed'] as const;
export type SlaPause = (typeof SLA_PAUSES)[number];
/** `late`: a due time is past. `soon`: its warning has begun. */
export const DUE_STATES = ['late', 'soon'] as const;
export type DueState = (typeof DUE_STATES)[number];
export const SLA_STATES = ['running', 'paused', 'met', 'missed'] as const;
