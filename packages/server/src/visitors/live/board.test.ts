import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { channelOf, readBusMessage } from '../../realtime/notices.ts';
import { readBeat } from './beat.ts';
import { createLiveBoard, type LiveBoard, type LiveNotice } from './board.ts';
import { countryOfTimeZone } from './country.ts';

// Processes that send each other their notices like the bus: as JSON, so that only agreed fields arrive.

const SITE = 7;
let time: number;
let boards: LiveBoard[];
let sent: LiveNotice[];
let changed: [board: number, siteId: number][];
/** The sites that boards follow, once for each board. */
let followed: number[];
/** All started boards, with the sites whose pages report to each. */
let started: { board: LiveBoard; pages: Set<number> }[];
beforeEach(() => {
  [time, boards, sent, changed, followed, started] = [1_000_000, [], [], [], [], []];
});
/** The site of a notice that only boards with reporting pages need. */
const siteOfPages = (notice: LiveNotice): number | undefined => {
  const channel = channelOf(notice);
  return channel === undefined || channel > 0 ? undefined : -channel;
};

const startBoard = (): LiveBoard => {
  const index = started.length;
  const pages = new Set<number>();
  const board = createLiveBoard({
    node: `node ${index}`,
    now: () => time,
    hasOthers: () => boards.length > 1,
    onChange: (siteId) => changed.push([index, siteId]),
    followed: {
      add: (siteId) => followed.push(siteId),
      remove: (siteId) => followed.splice(followed.indexOf(siteId), 1),
    },
    pages: { add: (siteId) => pages.add(siteId), remove: (siteId) => pages.delete(siteId) },
    publish(notice) {
      const json = JSON.stringify(notice);
      expect(Buffer.byteLength(json)).toBeLessThan(7_000);
      sent.push(notice);
      const read = readBusMessage(JSON.parse(json));
      expect(read).toEqual(JSON.parse(json));
      const site = siteOfPages(notice);
      for (const other of started) {
        const hears = boards.includes(other.board) && (site === undefined || other.pages.has(site));
        if (other.board !== board && hears) other.board.learn(read as LiveNotice);
      }
    },
  });
  boards.push(board);
  started.push({ board, pages });
  return board;
};
const pass = (ms: number): void => {
  for (const end = time + ms; time < end; ) {
    time = Math.min(end, time + 1_000);
    for (const board of boards) board.tick();
  }
};

const newTab = (): string => randomBytes(8).toString('hex');
const page = (path: string, more: object = {}) => {
  const body = { tab: newTab(), key: 'anon_1', page_url: `https://shop.example${path}`, ...more };
  const read = readBeat(body, 'Firefox');
  if (!read) throw new Error('no page');
  return read.beat;
};
const here = (board: LiveBoard, siteId = SITE) =>
  board.of(siteId).visitors.map(({ key, url, pages, tabs }) => [key, new URL(url).pathname, pages, tabs]);

describe('in one process', () => {
  test('a page is there from its first report until it is left, or has been silent for long', () => {
    const board = startBoard();
    const lamps = page('/lamps');
    board.beat(SITE, lamps, 'browser');
    board.beat(SITE, page('/desks', { key: 'anon_2' }), 'other');
    expect(here(board)).toEqual([
      ['anon_1', '/lamps', 1, 1],
      ['anon_2', '/desks', 1, 1],
    ]);
    expect(here(board, 8)).toEqual([]);
    board.leave(SITE, lamps.tab);
    pass(11_000);
    expect(here(board)).toEqual([['anon_2', '/desks', 1, 1]]);
    pass(135_000);
    expect(here(board)).toEqual([]);
    expect(changed.at(-1)).toEqual([0, SITE]);
  });

  test('a page that continues to report stays, without notices', () => {
    const board = startBoard();
    const lamps = page('/lamps');
    board.beat(SITE, lamps, 'browser');
    pass(1_000);
    changed.length = 0;
    for (let minute = 0; minute < 5; minute++) {
      pass(60_000);
      board.beat(SITE, lamps, 'browser');
    }
    expect(here(board)).toHaveLength(1);
    expect(changed).toEqual([]);
  });

  test('another address in the same page is the same visit’s next page', () => {
    const board = startBoard();
    const lamps = page('/lamps', { referrer: 'https://search.example/?q=lamps' });
    board.beat(SITE, lamps, 'browser');
    pass(30_000);
    board.beat(SITE, { ...lamps, url: 'https://shop.example/cart' }, 'browser');
    expect(board.of(SITE).visitors).toMatchObject([
      { url: 'https://shop.example/cart', pages: 2, referrer: 'https://search.example/', cameAt: 1_000_000 },
    ]);
  });

  test('a page that the browser loads after the one it left continues the visit, under any key', () => {
    const board = startBoard();
    const lamps = page('/lamps', { referrer: 'https://search.example/' });
    board.beat(SITE, lamps, 'browser');
    pass(20_000);
    board.leave(SITE, lamps.tab);
    pass(2_000);
    expect(here(board)).toHaveLength(1);
    const next = page('/cart', { key: 'anon_other', referrer: 'https://shop.example/lamps' });
    board.beat(SITE, next, 'browser');
    expect(board.of(SITE).visitors).toMatchObject([
      { key: 'anon_other', pages: 2, referrer: 'https://search.example/', cameAt: 1_000_000 },
    ]);
    pass(60_000);
    expect(here(board)).toEqual([['anon_other', '/cart', 2, 1]]);
  });

  test('another browser, or a page that is opened from elsewhere, begins a visit of its own', () => {
    const board = startBoard();
    const lamps = page('/lamps');
    board.beat(SITE, lamps, 'browser');
    board.leave(SITE, lamps.tab);
    board.beat(SITE, page('/a', { key: 'anon_2', referrer: 'https://shop.example/lamps' }), 'another');
    board.beat(SITE, page('/b', { key: 'anon_3', referrer: 'https://search.example' }), 'browser');
    expect(here(board).map(([, , pages]) => pages)).toEqual([1, 1, 1]);
  });

  test('a person with two tabs is one visitor, on the page that was opened last', () => {
    const board = startBoard();
    board.beat(SITE, page('/lamps'), 'browser');
    pass(5_000);
    board.beat(SITE, page('/cart'), 'browser');
    expect(here(board)).toEqual([['anon_1', '/cart', 2, 2]]);
  });

  test('invented visitors can’t fill the site’s list or the memory', () => {
    const board = startBoard();
    for (let at = 0; at < 3_000; at++) board.beat(SITE, page('/', { key: `anon_${at}` }), `${at}`);
    expect(here(board)).toHaveLength(2_000);
    for (let at = 0; at < 21_000; at++)
      board.beat(100 + (at % 15), page('/', { key: `anon_${at}` }), `${at}`);
    const sizes = Array.from({ length: 15 }, (_, at) => here(board, 100 + at).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(18_000);
    pass(140_000);
    board.beat(SITE, page('/'), 'browser');
    expect(here(board)).toHaveLength(1);
  });
});

describe('of several processes', () => {
  test('each shows the pages of the others, once a desk looks there, and their changes', () => {
    const [a, b] = [startBoard(), startBoard()];
    const lamps = page('/lamps');
    b.beat(SITE, lamps, 'browser');
    pass(1_000);
    expect(sent).toEqual([]);
    expect(here(a)).toEqual([['anon_1', '/lamps', 1, 1]]);
    b.beat(SITE, { ...lamps, url: 'https://shop.example/cart' }, 'browser');
    pass(1_000);
    expect(here(a)).toEqual([['anon_1', '/cart', 2, 1]]);
    expect(changed).toContainEqual([0, SITE]);
    b.leave(SITE, lamps.tab);
    pass(12_000);
    expect([here(a), here(b)]).toEqual([[], []]);
  });

  test('nothing is sent about a site once no desk shows it', () => {
    const [a, b] = [startBoard(), startBoard()];
    here(a);
    expect(followed).toEqual([SITE]);
    pass(80_000);
    expect(followed).toEqual([]);
    sent.length = 0;
    b.beat(SITE, page('/lamps'), 'browser');
    pass(30_000);
    expect(sent).toEqual([]);
    here(a);
    expect(here(a)).toHaveLength(1);
  });

  test('a page that reports to alternating processes is listed once, and is gone when it was left', () => {
    const [a, b] = [startBoard(), startBoard()];
    here(a);
    const lamps = page('/lamps');
    a.beat(SITE, lamps, 'browser');
    pass(60_000);
    here(a);
    b.beat(SITE, lamps, 'browser');
    pass(1_000);
    expect(here(a)).toEqual([['anon_1', '/lamps', 1, 1]]);
    b.beat(SITE, { ...lamps, url: 'https://shop.example/cart' }, 'browser');
    pass(1_000);
    expect(here(a)).toEqual([['anon_1', '/cart', 2, 1]]);
    b.leave(SITE, lamps.tab);
    pass(12_000);
    expect([here(a), here(b)]).toEqual([[], []]);
  });

  test('a call reaches the process that the page reports to, and ends when nobody repeats it', () => {
    const [a, b] = [startBoard(), startBoard()];
    b.beat(SITE, page('/lamps'), 'browser');
    // Before the others have answered, it is unknown whether the visitor is there.
    expect(a.call(SITE, 'anon_1')).toBe(true);
    expect(a.call(SITE, 'anon_nobody')).toBe(true);
    expect([b.isCalled(SITE, 'anon_1'), b.isCalled(8, 'anon_1'), b.isCalled(SITE, 'anon_2')]).toEqual([
      true,
      false,
      false,
    ]);
    pass(4_000);
    expect(a.call(SITE, 'anon_1')).toBe(true);
    expect(a.call(SITE, 'anon_nobody')).toBe(false);
    expect(sent.filter((notice) => 'call' in notice)).toHaveLength(2);
    pass(20_000);
    expect(a.call(SITE, 'anon_1')).toBe(true);
    pass(20_000);
    expect(b.isCalled(SITE, 'anon_1')).toBe(true);
    pass(31_000);
    expect([a.isCalled(SITE, 'anon_1'), b.isCalled(SITE, 'anon_1')]).toEqual([false, false]);
  });

  test('pages report more often while a desk of any process looks', () => {
    const [a, b] = [startBoard(), startBoard()];
    expect([a.isLookedAt(SITE), b.isLookedAt(SITE)]).toEqual([false, false]);
    here(a);
    expect([a.isLookedAt(SITE), b.isLookedAt(SITE), b.isLookedAt(8)]).toEqual([true, true, false]);
    pass(80_000);
    expect([a.isLookedAt(SITE), b.isLookedAt(SITE)]).toEqual([false, false]);
  });

  test('a process’s pages are gone when it stops, and when it dies', () => {
    const [a, b, c] = [startBoard(), startBoard(), startBoard()];
    here(a);
    b.beat(SITE, page('/lamps'), 'one');
    c.beat(SITE, page('/desks', { key: 'anon_2' }), 'two');
    pass(1_000);
    expect(here(a)).toHaveLength(2);
    b.stop();
    expect(here(a)).toEqual([['anon_2', '/desks', 1, 1]]);
    boards = [a];
    pass(55_000);
    expect(here(a)).toEqual([]);
  });

  test('of very many, the newest are listed and the others counted', () => {
    const [a, b] = [startBoard(), startBoard()];
    for (let at = 0; at < 600; at++) b.beat(SITE, page('/', { key: `anon_${at}` }), `${at}`);
    pass(1_000);
    here(a);
    const { visitors, beyond } = a.of(SITE);
    expect([visitors.length, beyond]).toEqual([500, 100]);
    expect(visitors.map(({ key }) => key)).toContain('anon_599');
  });

  test('missed notices are made up for', () => {
    const [a, b] = [startBoard(), startBoard()];
    here(a);
    const [known] = boards;
    boards = [b];
    b.beat(SITE, page('/lamps'), 'browser');
    pass(1_000);
    boards = known ? [known, b] : [];
    expect(here(a)).toEqual([]);
    a.forgetOthers();
    here(a);
    expect(here(a)).toHaveLength(1);
  });
});

describe('a page’s report', () => {
  test('has its address without possibly secret parts', () => {
    const { url, referrer } = page('/lamps?order=secret#top', {
      referrer: 'https://ada:pw@mail.example/inbox?token=secret',
    });
    expect([url, referrer]).toEqual(['https://shop.example/lamps', 'https://mail.example/inbox']);
  });

  test('fits, whatever its title is', () => {
    const hostile = '\u0000\ud800<b>"\\'.repeat(300).slice(0, 2_000);
    const url = `https://shop.example/${'ü'.repeat(1_900)}`;
    const beat = page('', {
      page_url: url,
      page_title: hostile,
      key: 'ü'.repeat(200),
      time_zone: hostile.slice(0, 64),
    });
    expect([beat.url.length, beat.title?.length, beat.title?.isWellFormed(), beat.country]).toEqual([
      500,
      300,
      true,
      null,
    ]);
    const [a, b] = [startBoard(), startBoard()];
    here(a);
    b.beat(SITE, beat, 'browser');
    pass(1_000);
    expect(here(a)).toHaveLength(1);
  });

  test.each([
    ['Europe/Berlin', 'DE'],
    ['Asia/Kolkata', 'IN'],
    ['Asia/Calcutta', 'IN'],
    ['Europe/Kyiv', 'UA'],
    ['America/New_York', 'US'],
    ['UTC', null],
    ['Nowhere/Land', null],
    ['', null],
    [undefined, null],
  ])('the time zone %s lies in %s', (zone, country) => {
    expect(countryOfTimeZone(zone)).toBe(country);
  });

  test.each([{ page_url: 'file:///etc/passwd' }, { page_url: 'javascript:alert(1)' }, { page_url: '' }])(
    'of something other than a web page is not shown: %o',
    (more) => {
      expect(readBeat({ tab: newTab(), key: 'anon_1', ...more }, undefined)).toBeUndefined();
    },
  );

  test.each([{}, { tab: 'x' }, { tab: newTab(), key: '', page_url: 'https://a.example' }, [], null, 'text'])(
    'that is invalid is refused: %o',
    (body) => {
      expect(() => readBeat(body, undefined)).toThrow(expect.objectContaining({ status: 400 }));
    },
  );
});
