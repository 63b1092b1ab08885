import type { PollAnswer } from '@foyer/protocol';
import type { SocketLike } from './connection.ts';

/** The server holds a request for 25 s; what takes longer than this is a line that swallows. */
const ANSWER_MS = 40_000;
/** As many frames as one request may bring. */
const FRAMES_MAX = 50;
const CLOSE_BROKEN = 1006;
const UNKNOWN = 404;
/**
 * Behind a balancer that hands each request to whichever process is next, a line is found by asking again; what a
 * process does not know it has not heard. As often as this, nobody knows it any more.
 */
const ASKED_MAX = 12;
const ASK_AGAIN_MS = 50;

/**
 * A socket's frames over requests, for networks that let no socket through: one request is held by the server until
 * there is something to fetch, others bring. Whatever fails ends it, as a broken socket ends; a new one catches up.
 */
export const openPoll = (url: URL): SocketLike => {
  const stopped = new AbortController();
  const waiting: string[] = [];
  let poll: string | null = null;
  let hasBegun = false;
  let isBringing = false;

  const ask = (body: string) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: stopped.signal,
      cache: 'no-store',
    });
  const post = async (frames: string[], wait: boolean): Promise<PollAnswer> => {
    const late = setTimeout(() => end(CLOSE_BROKEN), ANSWER_MS);
    const body = JSON.stringify({ poll, frames, wait });
    try {
      let response = await ask(body);
      for (let asked = 1; poll !== null && response.status === UNKNOWN && asked < ASKED_MAX; asked++) {
        // At random: two requests in step would each be handed to the wrong one for ever.
        await new Promise((resolve) => setTimeout(resolve, Math.random() * ASK_AGAIN_MS));
        response = await ask(body);
      }
      if (!response.ok) throw new Error(`answered ${response.status}`);
      return await response.json();
    } finally {
      clearTimeout(late);
    }
  };
  const end = (code: number) => {
    if (stopped.signal.aborted) return;
    stopped.abort();
    like.onclose?.({ code });
  };
  const fail = () => end(CLOSE_BROKEN);
  const take = ({ frames, closed }: PollAnswer) => {
    for (const data of frames) if (!stopped.signal.aborted) like.onmessage?.({ data });
    if (closed) end(closed.code);
  };
  const listen = async () => {
    while (!stopped.signal.aborted) take(await post([], true));
  };
  /** One request after the other, so that frames arrive in the order in which they were sent. */
  const bring = async () => {
    if (isBringing || poll === null) return;
    isBringing = true;
    while (waiting.length > 0) await post(waiting.splice(0, FRAMES_MAX), false);
    isBringing = false;
  };
  const begin = async (hello: string) => {
    const answer = await post([hello], true);
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
  // Nothing is asked before the hello.
  setTimeout(() => like.onopen?.());
  return like;
};
