import type { SentFile } from './outbox.ts';
import { createJobs, isGood, type UploadsParts } from './uploads/jobs.ts';
import { createUploader, sentFile } from './uploads/upload.ts';

export type { DraftFile, FileProblem } from './uploads/jobs.ts';

/** The visitor's files on their way to the server. None of them ever blocks a message. */
export const createUploads = (parts: UploadsParts) => {
  const jobs = createJobs(parts);
  const { upload, begin } = createUploader(parts, jobs);

  /** Deletes a file from the server, which would otherwise expire without a message. */
  const deleteFile = async (uploadId: string) => {
    const headers = { authorization: `Bearer ${await parts.token()}` };
    await fetch(parts.urlOf(uploadId, ''), { method: 'DELETE', headers }).catch(() => {});
  };

  return {
    add(chat: string, blobs: readonly File[]) {
      for (const blob of blobs) begin(chat, blob);
    },
    /** Continues with what closed tabs had not sent. @returns the chats in which the files were chosen */
    async restore(): Promise<string[]> {
      const files = await parts.kept.adopt();
      for (const { chat, blob, ...known } of files) begin(chat, blob, known);
      return files.map(({ chat }) => chat);
    },
    /** The visitor is another person now. */
    async forget(): Promise<void> {
      for (const [chat, gone] of jobs.all()) {
        jobs.remove(chat, gone);
        for (const job of gone) job.stop();
      }
      await parts.kept.clear();
    },
    /** @returns the files that have arrived, for a message now; the others are sent as messages when they arrive */
    send(chat: string): SentFile[] {
      const all = jobs.of(chat);
      const ready = all.filter(({ file }) => file.state === 'ready');
      for (const job of all.filter(({ file }) => file.state === 'uploading')) {
        job.file = { ...job.file, goes: true };
        jobs.keep(chat, job);
      }
      // The visitor has seen why the others can't be sent.
      jobs.remove(chat, [...ready, ...all.filter(({ file }) => !isGood(file))]);
      return ready.map(({ file }) => sentFile(file));
    },
    retry(chat: string, uploadId: string) {
      const job = jobs.find(chat, uploadId);
      if (job) upload(job);
    },
    /** Stops the upload, and deletes the file if it has arrived. */
    remove(chat: string, uploadId: string) {
      const job = jobs.find(chat, uploadId);
      if (!job) return;
      jobs.remove(chat, [job]);
      job.stop();
      if (isGood(job.file)) void deleteFile(uploadId);
    },
    /** The connection is back: retries uploads that failed without one. */
    again() {
      for (const [, all] of jobs.all()) for (const job of all) if (job.file.state === 'failed') upload(job);
    },
    move: jobs.move,
  };
};
