import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  from: string;
  to: string[];
  /** The mail as received. */
  raw: string;
  /** Header lines by their names in lower case, unfolded. */
  headers: Record<string, string>;
}

interface Refusal {
  code: number;
  at: 'rcpt' | 'data';
  /** If omitted, every recipient. */
  to?: string;
}

export interface Mailbox {
  /** For SMTP_URL. */
  url: string;
  received: ReceivedMail[];
  /** The response to the next mails: undefined accepts them; `at` says whether the address or the text is refused. */
  refuseWith(refusal: Refusal | undefined): void;
  /** Mail to this address is accepted, but the sender never gets the response. */
  leaveWaiting(address: string | undefined): void;
  /** How many were refused so far. */
  refused(): number;
  close(): Promise<void>;
}

function headersOf(raw: string): Record<string, string> {
  const [head = ''] = raw.split('\r\n\r\n', 1);
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  return Object.fromEntries(
    lines.map((line) => [
      line.split(':', 1)[0]?.toLowerCase() ?? '',
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
}

/** The body as a mail program shows it: quoted-printable decoded, parts in order. */
export const shown = ({ raw }: ReceivedMail): string => {
  const bytes = raw
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
};

/**
 * A real SMTP server on a free port of the loopback.
 * @param accepts checks a sign-in with a token (XOAUTH2); by default no sign-in is needed
 */
export async function startMailbox(accepts?: (user: string, token: string) => boolean): Promise<Mailbox> {
  const received: ReceivedMail[] = [];
  let refusal: Refusal | undefined;
  let refusals = 0;
  let waiting: string | undefined;
  const answer = (
    at: Refusal['at'],
    to: readonly string[],
    done: (error?: Error | null) => void,
  ): boolean => {
    if (refusal?.at !== at || (refusal.to !== undefined && !to.includes(refusal.to))) return false;
    refusals += 1;
    done(Object.assign(new Error('not now'), { responseCode: refusal.code }));
    return true;
  };
  const server = new SMTPServer({
    authOptional: accepts === undefined,
    disabledCommands: ['STARTTLS'],
    ...(accepts && {
      authMethods: ['XOAUTH2'],
      allowInsecureAuth: true,
      onAuth({ username = '', accessToken = '' }, _session, done) {
        if (accepts(username, accessToken)) done(null, { user: username });
        else done(null, { data: { status: '401', schemes: 'bearer', scope: 'mail' } });
      },
    }),
    onRcptTo({ address }, _session, done) {
      if (!answer('rcpt', [address], done)) done();
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const to = rcptTo.map(({ address }) => address);
        if (answer('data', to, done)) return;
        const raw = Buffer.concat(chunks).toString('utf8');
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to,
          raw,
          headers: headersOf(raw),
        });
        if (waiting === undefined || !to.includes(waiting)) done();
      });
    },
  });
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const address = listening.address();
  if (address === null || typeof address === 'string') throw new Error('the mailbox has no port');
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    received,
    refuseWith(next) {
      refusal = next;
    },
    leaveWaiting(address) {
      waiting = address;
    },
    refused: () => refusals,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
