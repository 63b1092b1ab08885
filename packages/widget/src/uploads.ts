import type { UploadLimits } from '@foyer/protocol';
import { uploadKindOf } from '@foyer/protocol/upload-kinds';
import type { KeptFiles } from './kept-files.ts';
import type { SentFile } from './outbox.ts';
import { uuid } from './uuid.ts';

/** Tries of one file by itself, before the visitor is asked. */
const TRIES_MAX = 4;
const RETRY_FIRST_MS = 1_000;
/** Without a byte going out for so long, the line is dead. */
const STALLED_MS = 30_000;
const UNAUTHORIZED = 401;
/** Refusals that say that the same file would be refused again. */
const FINAL_STATUSES = [400, 403, 413, 415];

export type FileProblem = 'too_large' | 'kind' | 'too_many' | 'refused';

/** A file that the visitor has chosen and that is not sent yet. */
export interface DraftFile extends SentFile {
  /** A picture of it, from this browser's memory. */
  preview: string | null;
  state: 'uploading' | 'ready' | 'failed' | FileProblem;
  /** 0 to 1. */
  progress: number;
  /** Send was pressed while it was on its way. */
  goes: boolean;
}

export interface UploadsParts {
  /** Where the file of this id is put and taken back. */
  urlOf: (uploadId: string, name: string) => string;
  /** This browser's token, once there is one. */
  token: () => Promise<string>;
  limits: () => UploadLimits | undefined;
  onChange: (chat: string, files: DraftFile[]) => void;
  /** A file that was to go as soon as it is there. */
  onReady: (chat: string, file: SentFile) => boolean;
  kept: KeptFiles;
}

export type Uploads = ReturnType<typeof createUploads>;

interface Job {
  file: DraftFile;
  blob: File;
  stop: () => void;
}

/** Files on their way to the server, by the chat in which they were chosen. None of them ever holds up a message. */
export const createUploads = (parts: UploadsParts) => {
  const byChat = new Map<string, Job[]>();

  const jobsOf = (chat: string): Job[] => byChat.get(chat) ?? [];
  const chatOf = (job: Job): string | undefined => [...byChat].find(([, jobs]) => jobs.includes(job))?.[0];
  const set = (chat: string, jobs: Job[]) => {
    if (jobs.length > 0) byChat.set(chat, jobs);
    else byChat.delete(chat);
    parts.onChange(
      chat,
      jobs.map(({ file }) => file),
    );
  };
  const change = (job: Job, part: Partial<DraftFile>) => {
    const chat = chatOf(job);
    if (chat === undefined) return;
    job.file = { ...job.file, ...part };
    set(chat, jobsOf(chat));
  };
  const keep = (chat: string, { file: { upload_id, goes }, blob }: Job) =>
    parts.kept.put({ upload_id, chat, goes, blob });
  const take = (chat: string, jobs: readonly Job[]) => {
    for (const { file } of jobs) {
      if (file.preview) URL.revokeObjectURL(file.preview);
      parts.kept.remove(file.upload_id);
    }
    set(
      chat,
      jobsOf(chat).filter((job) => !jobs.includes(job)),
    );
  };

  const problemOf = (blob: File, count: number): FileProblem | null => {
    const limits = parts.limits();
    if (!limits) return null;
    if (count >= limits.max_files) return 'too_many';
    if (!limits.kinds.includes(uploadKindOf(blob.name))) return 'kind';
    return blob.size > limits.max_bytes ? 'too_large' : null;
  };

  const arrived = (job: Job) => {
    change(job, { state: 'ready', progress: 1 });
    const chat = chatOf(job);
    if (chat !== undefined && job.file.goes && parts.onReady(chat, sentFile(job.file))) take(chat, [job]);
  };

  const upload = async (job: Job, tries = 0): Promise<void> => {
    change(job, { state: 'uploading', progress: 0 });
    const status = await put(job, await parts.token());
    if (status === 'stopped') return;
    if (status >= 200 && status < 300) return arrived(job);
    if (FINAL_STATUSES.includes(status)) return change(job, { state: 'refused' });
    if (status === UNAUTHORIZED || tries + 1 >= TRIES_MAX) return change(job, { state: 'failed' });
    const timer = setTimeout(() => void upload(job, tries + 1), RETRY_FIRST_MS * 4 ** tries);
    job.stop = () => clearTimeout(timer);
  };

  /** The answer's status; 0 where there was none. */
  const put = (job: Job, token: string): Promise<number | 'stopped'> =>
    new Promise((resolve) => {
      const request = new XMLHttpRequest();
      let stalled: ReturnType<typeof setTimeout>;
      const done = (status: number | 'stopped') => {
        clearTimeout(stalled);
        resolve(status);
      };
      const moves = () => {
        clearTimeout(stalled);
        stalled = setTimeout(() => {
          done(0);
          request.abort();
        }, STALLED_MS);
      };
      request.open('PUT', parts.urlOf(job.file.upload_id, job.file.name));
      request.setRequestHeader('authorization', `Bearer ${token}`);
      request.setRequestHeader('content-type', job.blob.type || 'application/octet-stream');
      request.upload.onprogress = ({ loaded, total }) => {
        moves();
        change(job, { progress: total > 0 ? loaded / total : 0 });
      };
      request.onload = () => done(request.status);
      request.onerror = () => done(0);
      request.onabort = () => done('stopped');
      job.stop = () => request.abort();
      moves();
      request.send(job.blob);
    });

  const begin = (chat: string, blob: File, known?: { upload_id: string; goes: boolean }): void => {
    const good = jobsOf(chat).filter(({ file }) => isGood(file)).length;
    const problem = problemOf(blob, good);
    const preview = problem === null && /^image\/(png|jpe?g|gif|webp)$/.test(blob.type);
    const file: DraftFile = {
      upload_id: known?.upload_id ?? uuid(),
      name: blob.name,
      size: blob.size,
      preview: preview ? URL.createObjectURL(blob) : null,
      state: problem ?? 'uploading',
      progress: 0,
      goes: known?.goes ?? false,
    };
    const job: Job = { file, blob, stop: () => {} };
    set(chat, [...jobsOf(chat), job]);
    if (problem !== null) return;
    if (!known) keep(chat, job);
    void upload(job);
  };

  return {
    add(chat: string, blobs: readonly File[]) {
      for (const blob of blobs) begin(chat, blob);
    },
    /** Goes on with what a tab that is gone had not sent. @returns the chats in which it was chosen */
    async restore(): Promise<string[]> {
      const files = await parts.kept.adopt();
      for (const { chat, blob, upload_id, goes } of files) begin(chat, blob, { upload_id, goes });
      return files.map(({ chat }) => chat);
    },
    /** Another person sits there now. */
    async forget(): Promise<void> {
      for (const [chat, jobs] of [...byChat]) {
        take(chat, jobs);
        for (const job of jobs) job.stop();
      }
      await parts.kept.clear();
    },
    /** Files that are there, to go with a message now; those on their way go as soon as they are. */
    send(chat: string): SentFile[] {
      const jobs = jobsOf(chat);
      const ready = jobs.filter(({ file }) => file.state === 'ready');
      for (const job of jobs)
        if (job.file.state === 'uploading') {
          job.file = { ...job.file, goes: true };
          keep(chat, job);
        }
      // What can't be sent has been said, and is out of the way.
      take(chat, [...ready, ...jobs.filter(({ file }) => !isGood(file))]);
      return ready.map(({ file }) => sentFile(file));
    },
    retry(chat: string, uploadId: string) {
      const job = jobsOf(chat).find(({ file }) => file.upload_id === uploadId);
      if (job) void upload(job);
    },
    /** Stops it, and takes it back where it has arrived. */
    remove(chat: string, uploadId: string) {
      const job = jobsOf(chat).find(({ file }) => file.upload_id === uploadId);
      if (!job) return;
      take(chat, [job]);
      job.stop();
      if (!isGood(job.file)) return;
      void parts.token().then((token) =>
        // Lost with the line: what no message came for is cleared away.
        fetch(parts.urlOf(uploadId, ''), {
          method: 'DELETE',
          headers: { authorization: `Bearer ${token}` },
        }).catch(() => {}),
      );
    },
    /** The line is back: what had failed for want of one is tried again. */
    again() {
      for (const jobs of byChat.values())
        for (const job of jobs) if (job.file.state === 'failed') void upload(job);
    },
    move(from: string, to: string) {
      const jobs = jobsOf(from);
      if (jobs.length === 0) return;
      set(from, []);
      set(to, [...jobsOf(to), ...jobs]);
      for (const job of jobs) if (isGood(job.file)) keep(to, job);
    },
  };
};

const isGood = ({ state }: DraftFile): boolean => ['uploading', 'ready', 'failed'].includes(state);

const sentFile = ({ upload_id, name, size }: DraftFile): SentFile => ({ upload_id, name, size });
