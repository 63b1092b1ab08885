import type { ColumnType, Generated } from 'kysely';

type OptionalTimestamp = ColumnType<Date | null, Date | null | undefined, Date | null>;

interface Attachments {
  site_id: number;
  id: Generated<number>;
  reply_id: number | null;
  conversation_id: ColumnType<number | null, number | null | undefined, number | null>;
  message_seq: ColumnType<number | null, number | null | undefined, number | null>;
  position: ColumnType<number | null, number | null | undefined, number | null>;
  upload_id: ColumnType<string | null, string | null | undefined, string | null>;
  device_id: ColumnType<number | null, number | null | undefined, number | null>;
  agent_id: ColumnType<number | null, number | null | undefined, number | null>;
  width: ColumnType<number | null, number | null | undefined, number | null>;
  height: ColumnType<number | null, number | null | undefined, number | null>;
  name: string;
  content_type: string;
  size: number;
  content: Buffer;
  created_at: Date;
}

interface PortalLinks {
  site_id: number;
  id: Generated<number>;
  ticket_id: number;
  token_hash: Buffer;
  expires_at: Date;
  revoked_at: OptionalTimestamp;
  last_used_at: OptionalTimestamp;
  created_at: Date;
}

interface PortalAnswers {
  site_id: number;
  link_id: number;
  answer_hash: Buffer;
  reply_id: number;
}

export interface PortalTables {
  attachments: Attachments;
  portal_links: PortalLinks;
  portal_answers: PortalAnswers;
}
