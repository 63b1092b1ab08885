import { z } from 'zod';
import { attachment } from '../tickets/portal.ts';
import { MESSAGE_FILES_MAX } from '../values/bounds.ts';
import { UPLOAD_KINDS, type UploadKind } from '../values/upload-kinds.ts';
import { clientId } from '../values.ts';

/** Of one sender, waiting for their message. */
export const UPLOADS_UNSENT_MAX = 20;

export const uploadKind = z.enum(UPLOAD_KINDS);

/** What a visitor may send along; none at all without kinds. The team may send files of every kind. */
export interface UploadLimits {
  max_bytes: number;
  max_files: number;
  kinds: UploadKind[];
}

/** A file that is there and waits for its message, by the id that its sender made. */
export interface Upload {
  upload_id: string;
  name: string;
  content_type: string;
  size: number;
}

/** Ids of uploads, in the order in which they are shown. */
export const uploadIds = z
  .array(clientId)
  .max(MESSAGE_FILES_MAX, `must have at most ${MESSAGE_FILES_MAX} files`)
  .refine((ids) => new Set(ids).size === ids.length, 'must not repeat a file');

/** Whether there are words, files or both. */
export const saysSomething = ({
  text: said,
  attachments,
}: {
  text: string;
  attachments?: string[] | undefined;
}): boolean => said !== '' || (attachments?.length ?? 0) > 0;
export const SAYS_NOTHING = { message: 'must not be empty', path: ['text'] };

/**
 * A file of a message. `image` is set for a picture that the server has encoded again, because only those are shown
 * inline: its address, which expires together with `url`, and its size in pixels.
 */
export const messageAttachment = attachment.extend({
  image: z.object({ url: z.string(), width: z.int(), height: z.int() }).nullable(),
});
export type MessageAttachment = z.infer<typeof messageAttachment>;
