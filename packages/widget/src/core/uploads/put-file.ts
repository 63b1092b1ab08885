/** If no byte is sent for this long, the connection is dead. */
const STALLED_MS = 30_000;

interface PutOptions {
  url: string;
  token: string;
  blob: File;
  /** @param progress from 0 to 1 */
  onProgress: (progress: number) => void;
}

interface Put {
  /** The response's status; 0 if there was none. */
  status: Promise<number | 'stopped'>;
  stop: () => void;
}

/** Sends one file. Uses XMLHttpRequest, because fetch reports no upload progress. */
export const putFile = ({ url, token, blob, onProgress }: PutOptions): Put => {
  const request = new XMLHttpRequest();
  const status = new Promise<number | 'stopped'>((resolve) => {
    let stalled: ReturnType<typeof setTimeout>;
    const done = (result: number | 'stopped') => {
      clearTimeout(stalled);
      resolve(result);
    };
    const onMove = () => {
      clearTimeout(stalled);
      stalled = setTimeout(() => {
        done(0);
        request.abort();
      }, STALLED_MS);
    };
    request.open('PUT', url);
    request.setRequestHeader('authorization', `Bearer ${token}`);
    request.setRequestHeader('content-type', blob.type || 'application/octet-stream');
    request.upload.onprogress = ({ loaded, total }) => {
      onMove();
      onProgress(total > 0 ? loaded / total : 0);
    };
    request.onload = () => done(request.status);
    request.onerror = () => done(0);
    request.onabort = () => done('stopped');
    onMove();
    request.send(blob);
  });
  return { status, stop: () => request.abort() };
};
