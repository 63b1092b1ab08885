import { once } from 'node:events';
import { WebSocketServer } from 'ws';
import { answerParent } from './child.ts';

/** The bare server of `fan-out.ts`: for each message of a socket, all others get the given frames. */
answerParent<{ serve: { frames: string[] } }>(async ({ serve: { frames } }) => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  await once(server, 'listening');
  server.on('connection', (socket) =>
    socket.on('message', () => {
      for (const frame of frames) for (const other of server.clients) if (other !== socket) other.send(frame);
    }),
  );
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no address');
  return `http://127.0.0.1:${address.port}`;
});
