import { uuidV7 } from '@foyer/protocol/browser/ids';
import { MESSAGE_FILES_MAX, UPLOAD_MAX_BYTES } from '@foyer/protocol/values/bounds';
import { withSite } from '../site.ts';
import { tCommon } from '../t-common.ts';

/** A file being uploaded for a reply. */
export interface ChatFile {
  upload_id: string;
  name: string;
  size: number;
  state: 'uploading' | 'ready' | 'failed';
  /** 0 to 1. */
  progress: number;
  /** The error, as a sentence. */
  error: string | null;
}

/** What remains once its reply is written. */
export type SentFile = Pick<ChatFile, 'upload_id' | 'name' | 'size'>;

interface Held extends ChatFile {
  /** Unset for a file that was put back, because the server has it. */
  blob?: Blob;
  request: XMLHttpRequest | undefined;
}

/** After this long without a response to a complete upload, which includes encoding an image, it has failed. */
const ANSWER_MS = 120_000;

const addressOf = (uploadId: string, name: string): string =>
  withSite(`/app/uploads/${uploadId}?name=${encodeURIComponent(name)}`);

/** The files that an agent has chosen to send, by chat. Live as long as the page. */
export class ChatFiles {
  readonly #held = new Map<string, readonly Held[]>();
  readonly #listeners = new Set<() => void>();
  readonly #none: readonly ChatFile[] = [];

  of(sessionId: string): readonly ChatFile[] {
    return this.#held.get(sessionId) ?? this.#none;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Whether no chosen files are unsent; those would be lost with the page. */
  get isEmpty(): boolean {
    return this.#held.size === 0;
  }

  add(sessionId: string, files: readonly File[]): void {
    for (const blob of files) {
      const count = this.of(sessionId).length;
      const error =
        blob.size > UPLOAD_MAX_BYTES
          ? tCommon('file_too_large', { megabytes: UPLOAD_MAX_BYTES / 1024 ** 2 })
          : count >= MESSAGE_FILES_MAX
            ? tCommon('file_too_many', { count: MESSAGE_FILES_MAX })
            : null;
      const upload_id = uuidV7();
      const state = error === null ? 'uploading' : 'failed';
      const held = { upload_id, name: blob.name, size: blob.size, state, progress: 0, error, blob } as const;
      this.#put(sessionId, [...this.#list(sessionId), { ...held, request: undefined }]);
      if (error === null) this.#upload(sessionId, upload_id);
    }
  }

  tryAgain(sessionId: string, uploadId: string): void {
    this.#change(sessionId, uploadId, { state: 'uploading', progress: 0, error: null });
    this.#upload(sessionId, uploadId);
  }

  remove(sessionId: string, uploadId: string): void {
    const found = this.#list(sessionId).find((one) => one.upload_id === uploadId);
    this.#put(
      sessionId,
      this.#list(sessionId).filter((one) => one !== found),
    );
    found?.request?.abort();
    // The response doesn't matter: unsent files are deleted later anyway.
    if (found?.state === 'ready') fetch(addressOf(uploadId, ''), { method: 'DELETE' }).catch(() => undefined);
  }

  /** The uploaded files, for a reply; the others stay. */
  take(sessionId: string): SentFile[] {
    const ready = this.#list(sessionId).filter(({ state }) => state === 'ready');
    this.#put(
      sessionId,
      this.#list(sessionId).filter((one) => !ready.includes(one)),
    );
    return ready.map(({ upload_id, name, size }) => ({ upload_id, name, size }));
  }

  /** Returns the files of an unsent reply; they go with the next one. */
  putBack(sessionId: string, files: readonly SentFile[]): void {
    const back = files.map((file) => ({
      ...file,
      state: 'ready' as const,
      progress: 1,
      error: null,
      request: undefined,
    }));
    this.#put(sessionId, [...back, ...this.#list(sessionId)]);
  }

  #upload(sessionId: string, uploadId: string): void {
    const held = this.#list(sessionId).find((one) => one.upload_id === uploadId);
    if (!held?.blob) return;
    const request = new XMLHttpRequest();
    const fail = (error: string): void => this.#change(sessionId, uploadId, { state: 'failed', error });
    request.open('PUT', addressOf(uploadId, held.name));
    request.timeout = ANSWER_MS;
    request.setRequestHeader('Content-Type', held.blob.type || 'application/octet-stream');
    request.upload.onprogress = ({ loaded, total }) =>
      this.#change(sessionId, uploadId, { progress: total > 0 ? loaded / total : 0 });
    request.onload = () => {
      if (request.status < 300) this.#change(sessionId, uploadId, { state: 'ready', progress: 1 });
      else fail(tCommon(request.status === 401 ? 'file_signed_out' : 'file_refused'));
    };
    request.onerror = () => fail(tCommon('file_no_answer'));
    request.ontimeout = () => fail(tCommon('file_no_answer'));
    this.#change(sessionId, uploadId, { request });
    request.send(held.blob);
  }

  #list(sessionId: string): readonly Held[] {
    return this.#held.get(sessionId) ?? [];
  }

  #change(sessionId: string, uploadId: string, change: Partial<Held>): void {
    this.#put(
      sessionId,
      this.#list(sessionId).map((one) => (one.upload_id === uploadId ? { ...one, ...change } : one)),
    );
  }

  #put(sessionId: string, list: readonly Held[]): void {
    if (list.length > 0) this.#held.set(sessionId, list);
    else this.#held.delete(sessionId);
    for (const listener of this.#listeners) listener();
  }
}
