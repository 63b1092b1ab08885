import { z } from 'zod';
import { attachment } from '../tickets/portal.ts';
import { MESSAGE_FILES_MAX } from '../values/bounds.ts';
import { UPLOAD_KINDS, type UploadKind } from '../values/upload-kinds.ts';
import { clientId } from '../values.ts';

/** Unsent uploads per sender. */
export const UPLOADS_UNSENT_MAX = 20;

export const uploadKind = z.enum(UPLOAD_KINDS);

/** What a visitor may upload; without kinds, nothing. The team may send every kind of file. */
export interface UploadLimits {
  max_bytes: number;
  max_files: number;
  kinds: UploadKind[];
}

/** An uploaded file that waits for its message, by the id that its sender created. */
export interface Upload {
  upload_id: string;
  name: string;
  content_type: string;
  size: number;
}

/** Ids of uploads, in display order. */
export const uploadIds = z
  .array(clientId)
  .max(MESSAGE_FILES_MAX, `must have at most ${MESSAGE_FILES_MAX} files`)
  .refine((ids) => new Set(ids).size === ids.length, 'must not repeat a file');

/** Whether there is text, files or both. */
export const saysSomething = ({
  text: said,
  attachments,
}: {
  text: string;
  attachments?: string[] | undefined;
}): boolean => said !== '' || (attachments?.length ?? 0) > 0;
export const SAYS_NOTHING = { message: 'must not be empty', path: ['text'] };

/**
 * A file of a message. `image` is set for an image that the server has encoded again, because only those are shown
 * inline: its address, which expires together with `url`, and its size in pixels.
 */
export const messageAttachment = attachment.extend({
  image: z.object({ url: z.string(), width: z.int(), height: z.int() }).nullable(),
});
export type MessageAttachment = z.infer<typeof messageAttachment>;
