import { uuidV7 } from '@foyer/protocol/browser/ids';
import { uploadKindOf } from '@foyer/protocol/values/upload-kinds';
import type { SentFile } from '../outbox.ts';
import { type DraftFile, type FileProblem, isGood, type Job, type Jobs, type UploadsParts } from './jobs.ts';
import { putFile } from './put-file.ts';

/** Attempts per file before the visitor decides. */
const TRIES_MAX = 4;
const RETRY_FIRST_MS = 1_000;
const UNAUTHORIZED = 401;
/** With these, the server would refuse the same file again. */
const FINAL_STATUSES = [400, 403, 413, 415];

/** The part of a file that a message names. */
export const sentFile = ({ upload_id, name, size }: DraftFile): SentFile => ({ upload_id, name, size });

const problemOf = (
  limits: ReturnType<UploadsParts['limits']>,
  blob: File,
  count: number,
): FileProblem | null => {
  if (!limits) return null;
  if (count >= limits.max_files) return 'too_many';
  if (!limits.kinds.includes(uploadKindOf(blob.name))) return 'kind';
  return blob.size > limits.max_bytes ? 'too_large' : null;
};

/** Uploads single files, with retries. */
export const createUploader = ({ urlOf, token, limits, onReady }: UploadsParts, jobs: Jobs) => {
  const put = (job: Job, bearer: string) => {
    const { upload_id, name } = job.file;
    const { status, stop } = putFile({
      url: urlOf(upload_id, name),
      token: bearer,
      blob: job.blob,
      onProgress: (progress) => jobs.change(job, { progress }),
    });
    job.stop = stop;
    return status;
  };
  const arrived = (job: Job) => {
    jobs.change(job, { state: 'ready', progress: 1 });
    const chat = jobs.chatOf(job);
    if (chat !== undefined && job.file.goes && onReady(chat, sentFile(job.file))) jobs.remove(chat, [job]);
  };
  const upload = async (job: Job, tries = 0): Promise<void> => {
    jobs.change(job, { state: 'uploading', progress: 0 });
    const status = await put(job, await token());
    if (status === 'stopped') return;
    if (status >= 200 && status < 300) return arrived(job);
    if (FINAL_STATUSES.includes(status)) return jobs.change(job, { state: 'refused' });
    if (status === UNAUTHORIZED || tries + 1 >= TRIES_MAX) return jobs.change(job, { state: 'failed' });
    const timer = setTimeout(() => void upload(job, tries + 1), RETRY_FIRST_MS * 4 ** tries);
    job.stop = () => clearTimeout(timer);
  };
  return {
    upload: (job: Job) => void upload(job),
    /** @param known a file from a closed tab, which keeps its id */
    begin(chat: string, blob: File, known?: { upload_id: string; goes: boolean }): void {
      const good = jobs.of(chat).filter(({ file }) => isGood(file)).length;
      const problem = problemOf(limits(), blob, good);
      const hasPreview = problem === null && /^image\/(png|jpe?g|gif|webp)$/.test(blob.type);
      const file: DraftFile = {
        upload_id: known?.upload_id ?? uuidV7(),
        name: blob.name,
        size: blob.size,
        preview: hasPreview ? URL.createObjectURL(blob) : null,
        state: problem ?? 'uploading',
        progress: 0,
        goes: known?.goes ?? false,
      };
      const job: Job = { file, blob, stop: () => {} };
      jobs.add(chat, job);
      if (problem !== null) return;
      if (!known) jobs.keep(chat, job);
      void upload(job);
    },
  };
};
