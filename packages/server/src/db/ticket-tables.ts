import type { ReplyAuthor, ReplyMailState, TicketPriority, TicketStatus } from '@foyer/protocol';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

type OptionalTimestamp = ColumnType<Date | null, Date | null | undefined, Date | null>;
type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>;
type Default<T> = ColumnType<T, T | undefined, T>;
/** Made by the database from the row's other columns. */
type Derived<T> = ColumnType<T, never, never>;

interface Tickets {
  site_id: number;
  id: Generated<number>;
  subject: string;
  description: string;
  status: Default<TicketStatus>;
  priority: Default<TicketPriority>;
  requester_id: number;
  requester_email: Optional<string>;
  conversation_id: Optional<number>;
  assignee_id: Optional<number>;
  external_id: Optional<string>;
  follow_up_of_id: Optional<number>;
  merged_into_id: Optional<number>;
  unread_since: OptionalTimestamp;
  snoozed_until: OptionalTimestamp;
  solved_at: OptionalTimestamp;
  imported_at: OptionalTimestamp;
  reply_count: Default<number>;
  snoozed: Derived<boolean>;
  assignee_key: Derived<number>;
  priority_rank: Derived<number>;
  created_at: ColumnType<Date, Date | undefined, Date>;
  updated_at: ColumnType<Date, Date | undefined, Date>;
}

interface TicketReplies {
  site_id: number;
  id: Generated<number>;
  ticket_id: number;
  type: 'public' | 'note';
  body: string;
  author_type: ReplyAuthor['type'];
  agent_id: number | null;
  token_id: number | null;
  client_id: Optional<string>;
  mail_state: Optional<ReplyMailState>;
  created_at: Date;
}

interface TicketTags {
  site_id: number;
  ticket_id: number;
  tag_id: number;
  created_at: Date;
}

interface TicketWords {
  site_id: number;
  ticket_id: number;
  created_at: Date;
  bucket: GeneratedAlways<number>;
  words: string;
}

export interface TicketTables {
  tickets: Tickets;
  ticket_replies: TicketReplies;
  ticket_tags: TicketTags;
  ticket_words: TicketWords;
}
