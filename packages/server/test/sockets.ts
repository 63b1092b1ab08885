import { randomUUID } from 'node:crypto';
import type { ClientFrame, HelloFrame, ServerFrame } from '@foyer/protocol';
import WebSocket from 'ws';

type FrameOf<T extends ServerFrame['type']> = Extract<ServerFrame, { type: T }>;

/** A client of either socket that records received frames and can wait for later ones. */
export class TestSocket {
  readonly frames: ServerFrame[] = [];
  readonly #socket: WebSocket;
  readonly #waiting = new Set<() => void>();
  #calls = 0;
  closed: { code: number; reason: string } | undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => {
      this.frames.push(JSON.parse(String(data)));
      this.#wake();
    });
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) };
      this.#wake();
    });
    socket.on('error', () => undefined);
  }

  static async open(url: string, headers: Record<string, string> = {}): Promise<TestSocket> {
    const socket = new WebSocket(url.replace(/^http/, 'ws'), { headers });
    const client = new TestSocket(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () => resolve());
      socket.once('unexpected-response', (_request, response) =>
        reject(new Error(`handshake: ${response.statusCode}`)),
      );
      socket.once('error', reject);
    });
    return client;
  }

  /** A visitor's socket after its hello. */
  static async visitor(url: string, publicKey: string, hello: Omit<HelloFrame, 'type'> = {}) {
    const socket = await TestSocket.open(`${url}/widget/socket?site=${publicKey}`);
    socket.send({ type: 'hello', key: `anon_${randomUUID()}`, ...hello });
    const welcome = await socket.next('welcome');
    return { socket, welcome };
  }

  /** @param site the site that the desk's tab shows */
  static async agent(url: string, cookie: string, site?: number): Promise<TestSocket> {
    const query = site === undefined ? '' : `?site=${site}`;
    const socket = await TestSocket.open(`${url}/app/socket${query}`, { cookie, origin: url });
    await socket.next('ready');
    return socket;
  }

  send(frame: ClientFrame): void {
    this.#socket.send(JSON.stringify(frame));
  }

  sendRaw(data: string | Buffer): void {
    this.#socket.send(data);
  }

  /** The first frame of this type (and condition), received already or later. */
  async next<T extends ServerFrame['type']>(
    type: T,
    matches: (frame: FrameOf<T>) => boolean = () => true,
  ): Promise<FrameOf<T>> {
    const isWanted = (frame: ServerFrame): frame is FrameOf<T> =>
      frame.type === type && matches(frame as FrameOf<T>);
    return this.#until(() => this.frames.find(isWanted), `a frame ${type}`);
  }

  /** Runs an operation. @throws the error body of a refusal. */
  async call(op: string, input: unknown): Promise<unknown> {
    const id = ++this.#calls;
    this.send({ type: 'call', id, op, input });
    const frame = await this.#until(
      () => this.frames.find((one) => (one.type === 'result' || one.type === 'error') && one.id === id),
      `the answer of ${op}`,
    );
    if (frame.type === 'result') return frame.data;
    throw frame.type === 'error' ? frame.error : new Error('not an answer');
  }

  /** Resolves once the server has accepted the subscription. */
  async subscribe(sessionId: string, afterSeq = 0): Promise<void> {
    const id = ++this.#calls;
    this.send({ type: 'subscribe', id, session_id: sessionId, after_seq: afterSeq });
    await this.#until(
      () => this.frames.find((one) => one.type === 'result' && one.id === id),
      'the subscription',
    );
  }

  messagesOf(sessionId: string) {
    return this.frames.flatMap((frame) =>
      frame.type === 'message' && frame.session_id === sessionId ? [frame.message] : [],
    );
  }

  whenClosed(): Promise<{ code: number; reason: string }> {
    return this.#until(() => this.closed, 'the close');
  }

  /** Resolves once the other end has confirmed. */
  close(): Promise<unknown> {
    this.#socket.close();
    return this.whenClosed();
  }

  /** Like a cut connection: no closing handshake. */
  cut(): void {
    this.#socket.terminate();
  }

  async #until<T>(find: () => T | undefined, what: string): Promise<T> {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      if (this.closed && what !== 'the close')
        throw new Error(`closed (${this.closed.code}) while waiting for ${what}`);
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          this.#waiting.delete(wake);
          resolve();
        };
        this.#waiting.add(wake);
      });
    }
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}
