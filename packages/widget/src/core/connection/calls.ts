import type { ClientFrame, ErrorBody, ServerFrame } from '@foyer/protocol';

/** If a call has no response after this time although the connection is alive, it was lost. */
const ANSWER_MS = 30_000;

/** A call that failed, or got no response because the connection broke (`code` is then `disconnected`). */
export class CallError extends Error {
  readonly code: ErrorBody['code'] | 'disconnected';
  constructor(code: CallError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

const disconnected = () => new CallError('disconnected', '');

interface Call {
  resolve: (data: unknown) => void;
  reject: (error: CallError) => void;
}

/**
 * Calls that wait for their response.
 * @param send false without a connection
 * @param onLate a call has no response, though the connection seems alive
 */
export const createCalls = (send: (frame: ClientFrame) => boolean, onLate: () => void) => {
  const waiting = new Map<number | undefined, Call>();
  let nextId = 1;
  return {
    call: (op: string, input: unknown): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const id = nextId++;
        if (!send({ type: 'call', id, op, input })) return reject(disconnected());
        waiting.set(id, { resolve, reject });
        setTimeout(() => waiting.has(id) && onLate(), ANSWER_MS);
      }),
    /** Without a response: the session's frames follow. */
    subscribe(session_id: string, after_seq: number) {
      send({ type: 'subscribe', id: nextId++, session_id, after_seq });
    },
    /** Whether the frame was the response to a call. */
    answer(frame: ServerFrame): boolean {
      if (frame.type !== 'result' && frame.type !== 'error') return false;
      const call = waiting.get(frame.id);
      if (frame.type === 'result') call?.resolve(frame.data);
      else call?.reject(new CallError(frame.error.code, frame.error.message));
      return waiting.delete(frame.id);
    },
    /** The connection broke. */
    fail() {
      for (const { reject } of waiting.values()) reject(disconnected());
      waiting.clear();
    },
  };
};
