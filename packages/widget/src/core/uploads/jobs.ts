import type { UploadLimits } from '@foyer/protocol';
import type { KeptFiles } from '../kept-files.ts';
import type { SentFile } from '../outbox.ts';

export type FileProblem = 'too_large' | 'kind' | 'too_many' | 'refused';

/** A file that the visitor has chosen and that is not sent yet. */
export interface DraftFile extends SentFile {
  /** The address of a preview picture in this browser's memory. */
  preview: string | null;
  state: 'uploading' | 'ready' | 'failed' | FileProblem;
  /** 0 to 1. */
  progress: number;
  /** The visitor pressed Send while it was uploading. */
  goes: boolean;
}

export interface UploadsParts {
  /** The address where the file with this id is stored and deleted. */
  urlOf: (uploadId: string, name: string) => string;
  /** This browser's token, as soon as there is one. */
  token: () => Promise<string>;
  limits: () => UploadLimits | undefined;
  onChange: (chat: string, files: DraftFile[]) => void;
  /** A file with `goes` has arrived. @returns false if it can't be sent now */
  onReady: (chat: string, file: SentFile) => boolean;
  kept: KeptFiles;
}

export interface Job {
  file: DraftFile;
  blob: File;
  stop: () => void;
}

/** Whether it can still be sent. */
export const isGood = ({ state }: DraftFile): boolean => ['uploading', 'ready', 'failed'].includes(state);

export type Jobs = ReturnType<typeof createJobs>;

/** The files by the chat in which they were chosen. */
export const createJobs = ({ onChange, kept }: UploadsParts) => {
  const byChat = new Map<string, Job[]>();

  const of = (chat: string): Job[] => byChat.get(chat) ?? [];
  const chatOf = (job: Job): string | undefined => [...byChat].find(([, jobs]) => jobs.includes(job))?.[0];
  const set = (chat: string, jobs: Job[]) => {
    if (jobs.length > 0) byChat.set(chat, jobs);
    else byChat.delete(chat);
    onChange(
      chat,
      jobs.map(({ file }) => file),
    );
  };
  const keep = (chat: string, { file: { upload_id, goes }, blob }: Job) =>
    kept.put({ upload_id, chat, goes, blob });

  return {
    of,
    chatOf,
    keep,
    all: () => [...byChat],
    find: (chat: string, uploadId: string) => of(chat).find(({ file }) => file.upload_id === uploadId),
    add: (chat: string, job: Job) => set(chat, [...of(chat), job]),
    /** Changes nothing if the file was removed meanwhile. */
    change(job: Job, part: Partial<DraftFile>) {
      const chat = chatOf(job);
      if (chat === undefined) return;
      job.file = { ...job.file, ...part };
      set(chat, of(chat));
    },
    remove(chat: string, jobs: readonly Job[]) {
      for (const { file } of jobs) {
        if (file.preview) URL.revokeObjectURL(file.preview);
        kept.remove(file.upload_id);
      }
      set(
        chat,
        of(chat).filter((job) => !jobs.includes(job)),
      );
    },
    move(from: string, to: string) {
      const jobs = of(from);
      if (jobs.length === 0) return;
      set(from, []);
      set(to, [...of(to), ...jobs]);
      for (const job of jobs) if (isGood(job.file)) keep(to, job);
    },
  };
};
