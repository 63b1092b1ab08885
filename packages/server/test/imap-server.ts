import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

/** A message in the folder. */
interface Stored {
  uid: number;
  raw: Buffer;
  arrivedAt: Date;
}

export interface ImapServer {
  port: number;
  /** Whole messages that were fetched, by UID, in order. */
  fetched: number[];
  /** Sign-ins so far. */
  readonly logins: number;
  /** Commands so far. */
  readonly commands: number;
  add(raw: string | Buffer, arrivedAt?: Date): number;
  /** Renumbers the messages, as a server does that was restored. */
  renumber(uidValidity: number): void;
  /** Cuts the connection in the middle of the next message from this UID on that is fetched, so many times. */
  cutFetches(times: number, fromUid?: number): void;
  /** Refuses to deliver this message. */
  refuse(uid: number): void;
  /** Accepts no password from now on, or again. */
  lock(isLocked: boolean): void;
  /** Cuts all connections. */
  cut(): void;
  close(): Promise<void>;
}

interface ImapServerOptions {
  idle?: boolean;
  /** Encrypted from the first byte. */
  tls?: { key: string; cert: string };
  /** Lets users in with a token (XOAUTH2), and none with a password. */
  accepts?: (user: string, token: string) => boolean;
}

/** Only what the tests need of RFC 9051: one user, one folder, UID SEARCH, UID FETCH and IDLE. */
export async function startImapServer(options: ImapServerOptions = {}): Promise<ImapServer> {
  const server = new Folder(options);
  return server.start(options.tls);
}

const day = (at: Date): string => at.toISOString().slice(0, 10);

/** As RFC 9051 has it: `17-Jul-2026 02:44:25 +0000`. */
function internalDate(at: Date): string {
  const [, date, month, year, time] = at.toUTCString().split(' ');
  return `${date}-${month}-${year} ${time} +0000`;
}

/** What a client sends: `user=…^Aauth=Bearer …^A^A`. */
function readToken(sent: string): [user: string, token: string] {
  const fields = Buffer.from(sent, 'base64').toString('utf8').split('\u0001');
  const fieldOf = (start: string): string =>
    fields.find((field) => field.startsWith(start))?.slice(start.length) ?? '';
  return [fieldOf('user='), fieldOf('auth=Bearer ')];
}

class Folder {
  readonly #hasIdle: boolean;
  readonly #accepts: ImapServerOptions['accepts'];
  readonly #messages: Stored[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #idling = new Set<Socket>();
  readonly #refused = new Set<number>();
  readonly fetched: number[] = [];
  #uidValidity = 7;
  #uidNext = 1;
  #cuts = 0;
  #cutFrom = 1;
  #isLocked = false;
  #logins = 0;
  #commands = 0;

  constructor({ idle = true, accepts }: ImapServerOptions) {
    this.#hasIdle = idle;
    this.#accepts = accepts;
  }

  get #capabilities(): string {
    const names = ['IMAP4rev1', this.#hasIdle && 'IDLE', this.#accepts && 'AUTH=XOAUTH2 SASL-IR'];
    return names.filter(Boolean).join(' ');
  }

  async start(tls: ImapServerOptions['tls']): Promise<ImapServer> {
    const serve = (socket: Socket): void => this.#serve(socket);
    const server = tls ? createTlsServer(tls, serve) : createServer(serve);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    const folder = this;
    return {
      port: address.port,
      fetched: this.fetched,
      get logins() {
        return folder.#logins;
      },
      get commands() {
        return folder.#commands;
      },
      add: (raw, arrivedAt = new Date()) => this.#add(Buffer.from(raw), arrivedAt),
      renumber: (uidValidity) => this.#renumber(uidValidity),
      cutFetches: (times, fromUid = 1) => {
        this.#cuts = times;
        this.#cutFrom = fromUid;
      },
      refuse: (uid) => void this.#refused.add(uid),
      lock: (isLocked) => {
        this.#isLocked = isLocked;
      },
      cut: () => this.#cut(),
      close: () => {
        this.#cut();
        return new Promise((resolve) => server.close(() => resolve()));
      },
    };
  }

  #cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #add(raw: Buffer, arrivedAt: Date): number {
    const uid = this.#uidNext++;
    this.#messages.push({ uid, raw, arrivedAt });
    for (const socket of this.#idling) socket.write(`* ${this.#messages.length} EXISTS\r\n`);
    return uid;
  }

  #renumber(uidValidity: number): void {
    this.#uidValidity = uidValidity;
    this.#uidNext = 1;
    for (const message of this.#messages) message.uid = this.#uidNext++;
    this.#cut();
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    let waiting = '';
    let idleTag = '';
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#sockets.delete(socket);
      this.#idling.delete(socket);
    });
    socket.on('data', (bytes) => {
      waiting += bytes.toString('latin1');
      for (let end = waiting.indexOf('\r\n'); end >= 0; end = waiting.indexOf('\r\n')) {
        const line = waiting.slice(0, end);
        waiting = waiting.slice(end + 2);
        if (line.toUpperCase() === 'DONE') {
          this.#idling.delete(socket);
          socket.write(`${idleTag} OK IDLE ended\r\n`);
        } else idleTag = this.#command(socket, line) ?? idleTag;
      }
    });
    // Without the mechanism, a client with a token stops here.
    socket.write(`* OK [CAPABILITY IMAP4rev1${this.#accepts ? ' AUTH=XOAUTH2 SASL-IR' : ''}] ready\r\n`);
  }

  /** @returns the tag of an IDLE that began */
  #command(socket: Socket, line: string): string | undefined {
    this.#commands += 1;
    const [tag = '', name = '', ...rest] = line.split(' ');
    const ok = (words = 'done'): void => void socket.write(`${tag} OK ${words}\r\n`);
    switch (name.toUpperCase()) {
      case 'CAPABILITY':
        socket.write(`* CAPABILITY ${this.#capabilities}\r\n`);
        return void ok();
      case 'AUTHENTICATE':
        this.#logins += 1;
        if (this.#isLocked || !this.#accepts?.(...readToken(rest[1] ?? '')))
          return void socket.write(`${tag} NO [AUTHENTICATIONFAILED] Invalid credentials (Failure)\r\n`);
        return void ok();
      case 'LOGIN':
        this.#logins += 1;
        if (this.#isLocked || this.#accepts)
          return void socket.write(`${tag} NO [AUTHENTICATIONFAILED] Invalid credentials\r\n`);
        return void ok();
      case 'LIST':
      case 'LSUB':
        socket.write(`* ${name.toUpperCase()} () "/" INBOX\r\n`);
        return void ok();
      case 'SELECT':
      case 'EXAMINE':
        return void this.#select(socket, tag, rest.join(' '));
      case 'IDLE':
        // A message may have arrived between the SELECT and this command.
        socket.write(`+ idling\r\n* ${this.#messages.length} EXISTS\r\n`);
        this.#idling.add(socket);
        return tag;
      case 'UID':
        return void this.#uid(socket, tag, rest);
      case 'LOGOUT':
        socket.write('* BYE\r\n');
        ok();
        return void socket.end();
      default:
        return void ok();
    }
  }

  #select(socket: Socket, tag: string, folder: string): void {
    if (folder.replaceAll('"', '').toUpperCase() !== 'INBOX')
      return void socket.write(`${tag} NO [NONEXISTENT] No such folder\r\n`);
    socket.write(
      `* FLAGS (\\Seen)\r\n* ${this.#messages.length} EXISTS\r\n* OK [UIDVALIDITY ${this.#uidValidity}] valid\r\n` +
        `* OK [UIDNEXT ${this.#uidNext}] next\r\n${tag} OK [READ-ONLY] opened\r\n`,
    );
  }

  #uid(socket: Socket, tag: string, [what = '', ...rest]: string[]): void {
    const words = rest.join(' ');
    if (what.toUpperCase() === 'SEARCH') {
      const found = this.#messages.filter((message) => this.#matches(message, words));
      socket.write(`* SEARCH ${found.map(({ uid }) => uid).join(' ')}\r\n${tag} OK found\r\n`);
      return;
    }
    this.#fetch(socket, tag, words);
  }

  #matches({ uid, arrivedAt }: Stored, words: string): boolean {
    const since = /SINCE "?(\d+-\w+-\d+)/i.exec(words)?.[1];
    if (since !== undefined) return day(arrivedAt) >= day(new Date(`${since} UTC`));
    const from = Number(/(\d+):\*/.exec(words)?.[1] ?? 1);
    return uid >= from || uid === this.#messages.at(-1)?.uid;
  }

  #fetch(socket: Socket, tag: string, words: string): void {
    const [set = ''] = words.split(' ');
    const uids = new Set(
      set.split(',').flatMap((part) => {
        const [from = 0, to = from] = part.split(':').map(Number);
        return Array.from({ length: to - from + 1 }, (_, at) => from + at);
      }),
    );
    for (const [at, { uid, raw, arrivedAt }] of this.#messages.entries()) {
      if (!uids.has(uid)) continue;
      const head = `* ${at + 1} FETCH (UID ${uid} INTERNALDATE "${internalDate(arrivedAt)}" RFC822.SIZE ${raw.length}`;
      if (!/BODY/i.test(words)) {
        socket.write(`${head})\r\n`);
        continue;
      }
      if (this.#refused.has(uid)) return void socket.write(`${tag} NO [SERVERBUG] can't read it\r\n`);
      this.fetched.push(uid);
      socket.write(`${head} BODY[] {${raw.length}}\r\n`);
      if (this.#cuts > 0 && uid >= this.#cutFrom) {
        this.#cuts -= 1;
        socket.write(raw.subarray(0, raw.length / 2), () => socket.destroy());
        return;
      }
      socket.write(raw);
      socket.write(')\r\n');
    }
    socket.write(`${tag} OK fetched\r\n`);
  }
}
