import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Json } from './app.ts';
import { until } from './harness.ts';
import { SELF_SIGNED } from './self-signed.ts';

/** A parsed message of RFC 5424. */
export interface SyslogMessage {
  priority: number;
  at: string;
  host: string;
  app: string;
  id: string;
  /** The text, which Foyer writes as JSON. */
  event: Json;
}

export interface SyslogServer {
  /** For FOYER_SYSLOG_URL. */
  url: string;
  messages: SyslogMessage[];
  /** Resolves with the messages for which this holds, once there are as many. */
  received(count: number, of?: (message: SyslogMessage) => boolean): Promise<SyslogMessage[]>;
  close(): Promise<void>;
}

const MESSAGE = /^<(\d{1,3})>1 (\S+) (\S+) (\S+) \d+ (\S{1,32}) - (\{[ -~]*\})$/;

function read(text: string): SyslogMessage {
  const [, priority, at = '', host = '', app = '', id = '', event = ''] = MESSAGE.exec(text) ?? [];
  if (priority === undefined) throw new Error(`not a message of RFC 5424: ${text}`);
  return { priority: Number(priority), at, host, app, id, event: JSON.parse(event) };
}

/** Frames of a stream: a length, a space, and as many bytes. */
function frames(onFrame: (text: string) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const [length] = /^\d+(?= )/.exec(rest.toString('latin1')) ?? [];
      if (length === undefined || rest.length < length.length + 1 + Number(length)) return;
      const end = length.length + 1 + Number(length);
      onFrame(rest.subarray(length.length + 1, end).toString());
      rest = rest.subarray(end);
    }
  };
}

const about = (url: string, messages: SyslogMessage[]): Omit<SyslogServer, 'close'> => ({
  url,
  messages,
  async received(count, of = () => true) {
    await until(async () => messages.filter(of).length >= count);
    return messages.filter(of);
  },
});

/** A server of RFC 5426, 6587 and 5425. @param port a free one by default */
export async function startSyslogServer(transport: 'udp' | 'tcp' | 'tls', port = 0): Promise<SyslogServer> {
  const messages: SyslogMessage[] = [];
  if (transport === 'udp') {
    const socket = createSocket('udp4').on('message', (bytes) => void messages.push(read(bytes.toString())));
    socket.bind(port, '127.0.0.1');
    await once(socket, 'listening');
    const url = `udp://127.0.0.1:${socket.address().port}`;
    return { ...about(url, messages), close: async () => void socket.close() };
  }
  const open = new Set<Socket>();
  const take = (socket: Socket): void => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on(
      'data',
      frames((text) => void messages.push(read(text))),
    );
  };
  const server = transport === 'tcp' ? createServer(take) : createTlsServer(SELF_SIGNED, take);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  const host = transport === 'tls' ? 'localhost' : '127.0.0.1';
  return {
    ...about(`${transport}://${host}:${own}`, messages),
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
