import type { Role } from '@foyer/protocol';
import { beforeEach, expect, test } from 'vitest';
import { type AgentSockets, createAgentSockets } from './agent-sockets.ts';
import type { Peer } from './peer.ts';

let sockets: AgentSockets;
beforeEach(() => {
  sockets = createAgentSockets();
});

function socketOf(agentId: number, siteId = 1, role: Role = 'agent') {
  const closed: number[] = [];
  const peer: Peer = {
    site: { id: siteId, plan: 'growth' },
    actor: { kind: 'agent', agentId, name: `Agent ${agentId}`, role },
    caller: undefined,
    become: () => undefined,
    send: () => undefined,
    sendRaw: () => undefined,
    drained: async () => undefined,
    isOpen: true,
    close: (code) => void closed.push(code),
  };
  return { peer, closed };
}

const arrived = (userId: string, peer: Peer): void => {
  const arrival = sockets.arrive();
  arrival.track(userId, peer);
  arrival.end();
};

test('the sockets of an account are closed with its sessions, and no others', () => {
  const [ada, ben] = [socketOf(1), socketOf(2)];
  arrived('ada', ada.peer);
  arrived('ben', ben.peer);
  sockets.endUser('ada');
  expect([ada.closed, ben.closed]).toEqual([[4001], []]);
});

test('a socket whose account’s sessions end during its handshake is closed, and no other', () => {
  const [ada, ben, later] = [socketOf(1), socketOf(2), socketOf(1)];
  const [first, second] = [sockets.arrive(), sockets.arrive()];
  sockets.endUser('ada');
  first.track('ada', ada.peer);
  second.track('ben', ben.peer);
  first.end();
  second.end();
  arrived('ada', later.peer);
  expect([ada.closed, ben.closed, later.closed]).toEqual([[4001], [], []]);
});

test('a socket of an agent who gets another role or is removed during its handshake is closed', () => {
  const [promoted, removed, same, elsewhere] = [socketOf(1), socketOf(2), socketOf(3), socketOf(1, 2)];
  const all = [promoted, removed, same, elsewhere];
  const arrivals = all.map(() => sockets.arrive());
  sockets.check(
    1,
    new Map([
      [1, { role: 'admin', permissions: null, signIns: null }],
      [3, { role: 'agent', permissions: null, signIns: null }],
    ]),
  );
  for (const [at, { peer }] of all.entries()) arrivals[at]?.track(`user ${at}`, peer);
  expect(all.map(({ closed }) => closed)).toEqual([[4001], [4001], [], []]);
});
