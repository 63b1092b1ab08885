import { z } from 'zod';
import type { FieldKind } from '../values/fields/field-names.ts';
import { deleted, id, page, paging, text, utc } from '../values.ts';

export const ATTACHMENTS_MAX = 10;
/** Per file through the portal. Over REST it must fit into a body of 1 MiB. */
export const ATTACHMENT_MAX_BYTES = 10 * 1024 * 1024;
/** For all files of one answer through the portal. */
export const ATTACHMENTS_TOTAL_MAX_BYTES = 25 * 1024 * 1024;
export const FILE_NAME_MAX = 200;

/** A file to attach. Paths are removed from its name; its declared type is stored but never trusted. */
export const newAttachment = z.strictObject({
  name: text(1, 1000),
  content_type: text(1, 200).optional(),
  content: z.base64('must be base64'),
});
export type NewAttachmentInput = z.infer<typeof newAttachment>;

/** The files of a reply. */
export const newAttachments = z
  .array(newAttachment)
  .max(ATTACHMENTS_MAX, `must have at most ${ATTACHMENTS_MAX} files`);

/** `url` is a download link that expires after 24 hours. */
export const attachment = z.object({
  id,
  name: z.string(),
  content_type: z.string(),
  /** Bytes. */
  size: z.int(),
  url: z.string(),
});
export type Attachment = z.infer<typeof attachment>;

export const PORTAL_HOURS_DEFAULT = 720;
export const PORTAL_HOURS_MAX = 8760;

/** A portal link as lists show it. Its token is returned once, when it is created. */
export const portalLink = z.object({
  id,
  ticket_id: id,
  created_utc: utc,
  expires_utc: utc,
  last_used_utc: utc.nullable(),
});
export type PortalLink = z.infer<typeof portalLink>;

export const portalContract = {
  'portal_links.list': { input: z.strictObject({ ...paging, ticket_id: id }), output: page(portalLink) },
  'portal_links.create': {
    input: z.strictObject({
      ticket_id: id,
      expires_in_hours: z
        .int('must be an integer')
        .min(1, 'must be at least 1')
        .max(PORTAL_HOURS_MAX, `must be at most ${PORTAL_HOURS_MAX}`)
        .default(PORTAL_HOURS_DEFAULT),
    }),
    output: z.object({ id, url: z.string(), token: z.string(), expires_utc: utc }),
  },
  'portal_links.delete': { input: z.strictObject({ id }), output: deleted },
} as const;

/** Everything that the page behind a link can show. */
export interface PortalTicket {
  id: number;
  siteName: string;
  /** `#rrggbb` */
  siteColor: string;
  /** A path on this service; null: none. */
  siteLogo: string | null;
  /** The site's, for times if the browser shows none. */
  timeZone: string;
  subject: string;
  status: 'new' | 'open' | 'pending' | 'hold' | 'solved' | 'closed';
  /** Custom fields that customers see, with what is stored: several values of a multiple choice. */
  fields: { name: string; kind: FieldKind; values: string[] }[];
  /** The ticket's own text, then its public replies. */
  entries: PortalEntry[];
  /** The number of older entries that aren't shown. */
  earlier: number;
  /** The closed ticket that this one follows up. */
  followsUp: { id: number } | null;
  /** The team has blocked this requester. */
  isBlocked: boolean;
}

export interface PortalEntry {
  /** `you`: the requester, who reads this. Only chats have a bot. */
  from: 'you' | 'team' | 'bot' | 'other';
  /** The agent's name, or the requester's if it is known. */
  name: string | null;
  body: string;
  createdAt: Date;
  attachments: { id: number; name: string; size: number }[];
}
