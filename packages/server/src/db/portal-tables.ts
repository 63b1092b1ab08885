import type { ColumnType, Generated } from 'kysely';

type OptionalTimestamp = ColumnType<Date | null, Date | null | undefined, Date | null>;

interface Attachments {
  site_id: number;
  id: Generated<number>;
  reply_id: number;
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
