import { randomUUID } from 'node:crypto';
import type { SiteContext } from '../core/context.ts';
import { ATTACHMENT_COLUMNS, type AttachmentRow, type NewAttachment } from './attachments.ts';
import { prepareUpload } from './uploads.ts';

/** Stores files that came by email with their chat message, in the transaction that stores it. */
export async function addMessageFiles(
  tx: SiteContext,
  { conversationId, seq }: { conversationId: number; seq: number },
  files: readonly NewAttachment[],
): Promise<AttachmentRow[]> {
  const rows: AttachmentRow[] = [];
  // One at a time, like the files of a reply.
  for (const [position, file] of files.entries()) {
    const stored = await prepareUpload(file);
    const row = await tx.db
      .insertInto('attachments')
      .values({
        ...stored,
        site_id: tx.site.id,
        upload_id: randomUUID(),
        conversation_id: conversationId,
        message_seq: seq,
        position: position + 1,
        size: stored.content.length,
        created_at: tx.now(),
      })
      .returning(ATTACHMENT_COLUMNS)
      .executeTakeFirstOrThrow();
    rows.push(row);
  }
  return rows;
}
