import { beforeEach, expect, test } from 'vitest';
import { type AgentSeat, createPresence, type PresenceBoard, type PresenceNotice } from './presence.ts';

const ADA: AgentSeat = { siteId: 1, agentId: 7 };
const BEN: AgentSeat = { siteId: 1, agentId: 8 };

let time: number;
let changes: number;
let worked: AgentSeat[];
let sent: PresenceNotice[];
let board: PresenceBoard;

const newBoard = (node: string, publish: (notice: PresenceNotice) => void): PresenceBoard =>
  createPresence({
    node,
    now: () => time,
    onChange: () => void changes++,
    onAtDesk: (seat) => worked.push(seat),
    publish,
    recall: async () => undefined,
  });

beforeEach(() => {
  [time, changes, worked, sent] = [0, 0, [], []];
  board = newBoard('a', (notice) => sent.push(notice));
});

test('an agent with an open desk is online, until the last of their pages is closed', () => {
  const [one, two] = [{}, {}];
  board.opened(ADA, one, 'online');
  board.opened(ADA, two, 'online');
  board.closed(ADA, one);
  expect(board.present(1).online).toEqual([7]);
  board.closed(ADA, two);
  expect(board.present(1)).toEqual({ online: [], away: [] });
  expect(changes).toBe(2);
});

test('an agent who has chosen to be away is away, and an invisible one isn’t listed', () => {
  board.opened(ADA, {}, 'away');
  board.opened(BEN, {}, 'invisible');
  expect(board.present(1)).toEqual({ online: [], away: [7] });
  expect(JSON.stringify(sent)).not.toContain('8');
  board.chose(ADA, 'online');
  board.chose(BEN, 'online');
  expect(board.present(1).online).toEqual([7, 8]);
});

test('an agent whose pages are all idle is away, and back with the first activity', () => {
  const [one, two] = [{}, {}];
  board.opened(ADA, one, 'online');
  board.opened(ADA, two, 'online');
  board.idle(ADA, one, true);
  expect(board.present(1).online).toEqual([7]);
  board.idle(ADA, two, true);
  expect(board.present(1)).toEqual({ online: [], away: [7] });
  board.idle(ADA, one, false);
  expect(board.present(1).online).toEqual([7]);
});

test('active agents are at their desk, even invisible ones; away and idle ones are not', () => {
  const page = {};
  board.opened(ADA, page, 'invisible');
  expect(board.atDesk()).toEqual([ADA]);
  board.idle(ADA, page, true);
  expect(board.atDesk()).toEqual([]);
  board.idle(ADA, page, false);
  expect(worked).toEqual([ADA, ADA]);
  board.chose(ADA, 'away');
  expect(board.atDesk()).toEqual([]);
});

test('a report about an agent who has gone, or a closed page, changes nothing', () => {
  const page = {};
  board.idle(ADA, page, true);
  board.chose(ADA, 'away');
  board.opened(ADA, page, 'online');
  board.idle(ADA, {}, true);
  board.closed(ADA, {});
  expect(board.present(1).online).toEqual([7]);
});

test('an agent who is idle here and works on another node is online', () => {
  const page = {};
  const other = newBoard('b', (notice) => board.learn(notice));
  board.opened(ADA, page, 'online');
  board.idle(ADA, page, true);
  other.opened(ADA, {}, 'online');
  expect(board.present(1)).toEqual({ online: [7], away: [] });
  other.chose(ADA, 'away');
  expect(board.present(1)).toEqual({ online: [], away: [7] });
  other.chose(ADA, 'online');
  time = 17_000;
  board.repeat();
  expect(board.present(1)).toEqual({ online: [], away: [7] });
});
