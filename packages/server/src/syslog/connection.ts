import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { SyslogAddress } from './address.ts';

export interface SyslogConnection {
  /**
   * Resolves once the system has taken all of them. A syslog server acknowledges nothing, so messages under way when a
   * connection breaks may be lost.
   */
  send(messages: readonly string[]): Promise<void>;
  close(): void;
}

const TIMEOUT_MS = 10_000;

/** Over UDP, each message is a datagram (RFC 5426). */
function openDatagrams({ host, port }: SyslogAddress): SyslogConnection {
  return {
    async send(messages) {
      const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
      try {
        for (const message of messages)
          await new Promise<void>((resolve, reject) =>
            socket.send(message, port, host, (error) => (error ? reject(error) : resolve())),
          );
      } finally {
        socket.close();
      }
    },
    close: () => undefined,
  };
}

/** Over TCP and TLS, each message follows its length (RFC 5425, 4.3; RFC 6587, 3.4.1). */
function openStream({ transport, host, port }: SyslogAddress): SyslogConnection {
  let open: Socket | undefined;
  const connected = async (): Promise<Socket> => {
    if (open?.writable) return open;
    const isTls = transport === 'tls';
    const socket = isTls ? connectTls({ host, port, servername: host }) : connectTcp({ host, port });
    socket.setKeepAlive(true, TIMEOUT_MS);
    // What the server sends is ignored, but must be read for its end to be noticed.
    socket.resume();
    try {
      await once(socket, isTls ? 'secureConnect' : 'connect', { signal: AbortSignal.timeout(TIMEOUT_MS) });
    } catch (error) {
      socket.destroy();
      throw error;
    }
    socket.on('error', () => socket.destroy());
    socket.once('end', () => socket.destroy());
    open = socket;
    return socket;
  };
  return {
    async send(messages) {
      const socket = await connected();
      const framed = messages.map((message) => `${Buffer.byteLength(message)} ${message}`).join('');
      await new Promise<void>((resolve, reject) => {
        const late = setTimeout(
          () => socket.destroy(new Error('the syslog server reads too slowly')),
          TIMEOUT_MS,
        );
        socket.write(framed, (error) => {
          clearTimeout(late);
          if (error) reject(error);
          else resolve();
        });
      });
    },
    close: () => void open?.destroy(),
  };
}

/** Connects with the first message, and again after a break. */
export const openSyslog = (address: SyslogAddress): SyslogConnection =>
  address.transport === 'udp' ? openDatagrams(address) : openStream(address);
