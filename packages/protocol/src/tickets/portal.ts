import { z } from 'zod';
import { deleted, id, page, paging, text, utc } from '../values.ts';

export const ATTACHMENTS_MAX = 10;
/** Of one file through the portal; over REST it has to fit into a body of 1 MiB. */
export const ATTACHMENT_MAX_BYTES = 10 * 1024 * 1024;
/** Of all files of one answer through the portal. */
export const ATTACHMENTS_TOTAL_MAX_BYTES = 25 * 1024 * 1024;
export const FILE_NAME_MAX = 200;

/** A file to send along. Its name loses any path; what it says of its type is kept, and trusted by nobody. */
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

/** `url` is a download that ends 24 hours after it was answered. */
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

/** A link to the portal as lists show it: its token is answered once, when it is made. */
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

/** What the page behind a link shows: nothing that is not here can stand on it. */
export interface PortalTicket {
  id: number;
  siteName: string;
  /** `#rrggbb` */
  siteColor: string;
  /** A path on this service; null: none. */
  siteLogo: string | null;
  /** The site's, for times that no browser shows in its own. */
  timeZone: string;
  subject: string;
  status: 'new' | 'open' | 'pending' | 'hold' | 'solved' | 'closed';
  /** The ticket's own text, then its public replies. */
  entries: PortalEntry[];
  /** Older entries that are not shown, because there are very many. */
  earlier: number;
  /** The closed ticket that this one goes on from. */
  followsUp: { id: number } | null;
  /** The team takes nothing from this requester. */
  isBlocked: boolean;
}

export interface PortalEntry {
  /** `you`: the requester, who reads this. Only a chat has a bot. */
  from: 'you' | 'team' | 'bot';
  /** Of the team's person; the requester's own name if it is known. */
  name: string | null;
  body: string;
  createdAt: Date;
  attachments: { id: number; name: string; size: number }[];
}
