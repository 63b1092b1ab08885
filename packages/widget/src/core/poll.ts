import type { PollAnswer } from '@foyer/protocol';
import { CLOSE_BROKEN, type SocketLike } from '@foyer/protocol/browser/line';

/** The server has something to say every `SOCKET_BEAT_MS`. A request that takes longer than this is lost. */
const ANSWER_MS = 8_000;
/** The maximum number of frames per request. */
const FRAMES_MAX = 50;
const UNKNOWN = 404;
/**
 * Behind a load balancer that alternates between processes, the connection's process is found by retrying: a process
 * that doesn't know the connection hasn't accepted anything. After this many tries, no process knows it.
 */
const ASKED_MAX = 12;
const ASK_AGAIN_MS = 50;

interface Sent {
  poll: string | null;
  frames: string[];
  wait: boolean;
}

const post = async (url: URL, sent: Sent, signal: AbortSignal): Promise<PollAnswer> => {
  const ask = () =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(sent),
      signal,
      cache: 'no-store',
    });
  let response = await ask();
  for (let asked = 1; sent.poll !== null && response.status === UNKNOWN && asked < ASKED_MAX; asked++) {
    // Random, because two requests in lockstep could each reach the wrong process forever.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * ASK_AGAIN_MS));
    response = await ask();
  }
  if (!response.ok) throw new Error(`answered ${response.status}`);
  return response.json();
};

/**
 * A socket's frames over requests, for networks that block sockets: the server holds one request until there are
 * frames, others send. Any failure ends it like a broken socket; a new one catches up.
 */
export const openPoll = (url: URL): SocketLike => {
  const stopped = new AbortController();
  const waiting: string[] = [];
  let poll: string | null = null;
  let hasBegun = false;
  let isBringing = false;

  const end = (code: number) => {
    if (stopped.signal.aborted) return;
    stopped.abort();
    like.onclose?.({ code });
  };
  const fail = () => end(CLOSE_BROKEN);
  const request = (frames: string[], wait: boolean): Promise<PollAnswer> => {
    const late = setTimeout(fail, ANSWER_MS);
    return post(url, { poll, frames, wait }, stopped.signal).finally(() => clearTimeout(late));
  };
  const take = ({ frames, closed }: PollAnswer) => {
    for (const data of frames) if (!stopped.signal.aborted) like.onmessage?.({ data });
    if (closed) end(closed.code);
  };
  const listen = async () => {
    while (!stopped.signal.aborted) take(await request([], true));
  };
  /** One request at a time, so that frames arrive in order. */
  const bring = async () => {
    if (isBringing || poll === null) return;
    isBringing = true;
    while (waiting.length > 0) await request(waiting.splice(0, FRAMES_MAX), false);
    isBringing = false;
  };
  const begin = async (hello: string) => {
    const answer = await request([hello], true);
    poll = answer.poll;
    take(answer);
    void bring().catch(fail);
    await listen();
  };

  const like: SocketLike = {
    send(text) {
      if (!hasBegun) {
        hasBegun = true;
        begin(text).catch(fail);
        return;
      }
      waiting.push(text);
      bring().catch(fail);
    },
    close: () => stopped.abort(),
    onopen: null,
    onmessage: null,
    onclose: null,
  };
  // Nothing is requested before the hello.
  setTimeout(() => like.onopen?.());
  return like;
};
