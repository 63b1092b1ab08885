import type { ServerFrame, Viewer } from '@foyer/protocol';
import { beforeEach, expect, test } from 'vitest';
import type { Peer } from './peer.ts';
import { createViewing, type ViewingBoard } from './viewing.ts';

let now: number;
let invisible: Set<number>;
let boards: ViewingBoard[];
beforeEach(() => {
  now = 0;
  invisible = new Set();
  boards = [];
});

/** A process that receives the states of the others. */
function node(): ViewingBoard {
  const name = `node-${boards.length}`;
  const board = createViewing({
    node: name,
    now: () => now,
    isShown: (_siteId, agentId) => !invisible.has(agentId),
    publish(notice) {
      for (const other of boards) if (other !== board) other.learn(structuredClone(notice));
    },
  });
  boards.push(board);
  return board;
}

function desk(agentId: number, siteId = 1) {
  let told: Viewer[] = [];
  let count = 0;
  const send = (frame: ServerFrame): void => {
    if (frame.type === 'viewers') [told, count] = [frame.viewers, count + 1];
  };
  const peer: Peer = {
    site: { id: siteId, plan: 'growth' },
    actor: { kind: 'agent', agentId, name: `Agent ${agentId}`, role: 'agent' },
    caller: undefined,
    become: () => undefined,
    send,
    sendRaw: (frame) => send(JSON.parse(frame)),
    drained: async () => undefined,
    isOpen: true,
    close: () => undefined,
  };
  const shown = () => told.map(({ id, replying }) => (replying ? `${id} replies` : `${id}`));
  const miss = (): void => {
    told = [];
  };
  return { peer, shown, miss, count: () => count };
}

const CHAT = { session_id: 'ses_a', ticket_id: null };
const TICKET = { session_id: null, ticket_id: 7 };
const NONE = { session_id: null, ticket_id: null };

test('agents who open the same chat see each other, on any node, and who replies', () => {
  const [here, there] = [node(), node()];
  const [ada, ben, cleo] = [desk(1), desk(2), desk(3)];
  here.view(ada.peer, CHAT, false);
  there.view(ben.peer, CHAT, false);
  here.view(cleo.peer, TICKET, false);
  expect([ada.shown(), ben.shown()]).toEqual([
    ['1', '2'],
    ['1', '2'],
  ]);
  there.view(ben.peer, CHAT, true);
  expect(ada.shown()).toEqual(['1', '2 replies']);
  there.view(ben.peer, TICKET, false);
  expect(ada.shown()).toEqual(['1']);
  expect(cleo.shown()).toEqual(['2', '3']);
  here.view(ada.peer, NONE, false);
  expect(cleo.shown()).toEqual(['2', '3']);
});

test('a closed desk leaves nothing, and two desks of one agent are one', () => {
  const here = node();
  const [ada, ben, again] = [desk(1), desk(2), desk(2)];
  here.view(ada.peer, CHAT, false);
  here.view(ben.peer, CHAT, true);
  here.view(again.peer, CHAT, false);
  expect(ada.shown()).toEqual(['1', '2 replies']);
  here.left(ben.peer);
  expect(ada.shown()).toEqual(['1', '2']);
  here.left(again.peer);
  expect(ada.shown()).toEqual(['1']);
});

test('a desk that missed who else is there gets it again; one that is alone doesn’t', () => {
  const here = node();
  const [ada, ben, cleo] = [desk(1), desk(2), desk(3)];
  here.view(ada.peer, CHAT, false);
  here.view(ben.peer, CHAT, false);
  here.view(cleo.peer, TICKET, false);
  ben.miss();
  const alone = cleo.count();
  here.repeat();
  expect(ben.shown()).toEqual(['1', '2']);
  expect(cleo.count()).toBe(alone);
});

test('when a node falls silent, its agents are gone', () => {
  const [here, there] = [node(), node()];
  const [ada, ben] = [desk(1), desk(2)];
  here.view(ada.peer, CHAT, false);
  there.view(ben.peer, CHAT, true);
  now = 15_000;
  here.repeat();
  expect(ada.shown()).toEqual(['1', '2 replies']);
  now = 17_000;
  here.repeat();
  expect(ada.shown()).toEqual(['1']);
});

test('an invisible agent is not shown, and sees the others', () => {
  const here = node();
  const [ada, ben] = [desk(1), desk(2)];
  invisible.add(2);
  here.view(ada.peer, CHAT, false);
  here.view(ben.peer, CHAT, true);
  expect([ada.shown(), ben.shown()]).toEqual([['1'], ['1']]);
  invisible.delete(2);
  here.repeat();
  expect(ada.shown()).toEqual(['1', '2 replies']);
});

test('another site with the same ids doesn’t count', () => {
  const here = node();
  const [ada, other] = [desk(1), desk(2, 2)];
  here.view(ada.peer, TICKET, false);
  here.view(other.peer, TICKET, true);
  expect([ada.shown(), other.shown()]).toEqual([['1'], ['2 replies']]);
});

test('an unchanged state is not sent again', () => {
  const here = node();
  const ada = desk(1);
  here.view(ada.peer, CHAT, false);
  here.view(ada.peer, CHAT, false);
  here.repeat();
  expect(ada.count()).toBe(1);
});
