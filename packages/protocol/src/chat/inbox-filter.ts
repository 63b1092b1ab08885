import { z } from 'zod';
import { fieldFilter } from '../fields/field-filter.ts';
import { INBOX_PAGE_MAX, TAG_NAME_MAX } from '../values/bounds.ts';
import { INBOX_CHANNELS, INBOX_SORTS, INBOX_SPANS, INBOX_STATUSES } from '../values/inbox-lists.ts';
import { LANGUAGES } from '../values/languages.ts';
import { TICKET_PRIORITIES } from '../values/wire-names.ts';
import { assigneeFilter, dueState, id, teamFilter, text } from '../values.ts';

export const inboxSort = z.enum(INBOX_SORTS);

/** Search fields in addition to the ticket filter. */
export const ownFilterFields = {
  channel: z.enum(INBOX_CHANNELS).optional(),
  status: z.enum(INBOX_STATUSES).optional(),
  created_within: z.enum(INBOX_SPANS).optional(),
  active_within: z.enum(INBOX_SPANS).optional(),
  /** A part of the address of the page where a chat began. */
  page: text(1, INBOX_PAGE_MAX).optional(),
  language: z.enum(LANGUAGES).optional(),
  segment: id.optional(),
};

/**
 * The inbox's filter, for chats and tickets. A field that only one of them has selects only that kind: `priority`
 * tickets, `page` and `language` chats.
 */
export const inboxFilterFields = {
  priority: z.enum(TICKET_PRIORITIES).optional(),
  assignee_id: assigneeFilter.optional(),
  team_id: teamFilter.optional(),
  tag: text(1, TAG_NAME_MAX).optional(),
  due: dueState.optional(),
  fields: fieldFilter.optional(),
  ...ownFilterFields,
};
export const inboxFilter = z.strictObject(inboxFilterFields);
export type InboxFilter = z.output<typeof inboxFilter>;
