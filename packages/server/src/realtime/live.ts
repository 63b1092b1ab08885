import { randomBytes } from 'node:crypto';
import type { OfficeHours, TeamFace } from '@foyer/protocol';
import type { Logger } from 'pino';
import { createCounter } from '../base/counters.ts';
import type { Changes } from '../core/changes.ts';
import type { PassingFrame, Services } from '../core/context.ts';
import type { Notice } from '../core/domain-event.ts';
import type { Database } from '../db/database.ts';
import type { Redis } from '../redis/redis.ts';
import { createLiveBoard, LIVE_TICK_MS, type LiveBoard, type LiveNotice } from '../visitors/live/board.ts';
import { type AgentSockets, createAgentSockets } from './agent-sockets.ts';
import { type AvailabilityBoard, createAvailability, OFFICE_CLOCK_MS } from './availability.ts';
import { type Bus, type BusOptions, channelOfPages, channelOfSite } from './bus/bus.ts';
import { openPostgresBus } from './bus/postgres-bus.ts';
import { openRedisBus } from './bus/redis-bus.ts';
import { FollowedSites } from './followed-sites.ts';
import { type Feed, Hub } from './hub.ts';
import { type BusMessage, channelOf, forBus, readBusMessage, statesOf, type TypingFrame } from './notices.ts';
import { Outbox } from './outbox/outbox.ts';
import {
  type AgentSeat,
  createPresence,
  PRESENCE_REPEAT_MS,
  type PresenceBoard,
  type PresenceNotice,
} from './presence.ts';
import { createViewing, VIEWING_REPEAT_MS, type ViewingBoard, type ViewingNotice } from './viewing.ts';

const busMessages = createCounter('foyer_bus_messages_total', 'Messages between processes, by direction', [
  'direction',
]);
const busGaps = createCounter(
  'foyer_bus_gaps_total',
  'Times at which messages of other processes may have been missed; the outbox has them',
);

/** The precision with which an agent's last activity is stored. */
const AT_DESK_MS = 30_000;

interface LiveOptions {
  database: Database;
  redis: Redis | undefined;
  /** The changes of this process. */
  changes: Changes;
  feed: Feed;
  log: Logger;
  now(): Date;
  officeHoursOf(siteId: number): Promise<OfficeHours | null>;
  /** The given agents that visitors may see. */
  facesOf(siteId: number, agentIds: readonly number[]): Promise<TeamFace[]>;
  sendsMail(siteId: number): Promise<boolean>;
  /** Stores that these agents are active now. */
  noteAtDesk(seats: AgentSeat[]): Promise<void>;
  /** For everything else that depends on a notice: caches and workers. */
  onNotice(siteId: number, notice: Notice): void;
  /** Changes may have been missed, so no cached data is reliable. */
  onGap(): void;
}

/** Everything that is pushed: to this process's sockets, and to the other processes on the database. */
export interface Live {
  hub: Hub;
  presence: PresenceBoard;
  availability: AvailabilityBoard;
  viewing: ViewingBoard;
  visitors: LiveBoard;
  agentSockets: AgentSockets;
  desks: Services['desks'];
  /** Call it after committing a change in this process. `part` names the notice in the outbox, if it is there. */
  tell(siteId: number, notice: Notice, part?: string): void;
  /** Only to the other processes: the hub has sent it to this one's subscribers. Never stored. */
  passTyping(siteId: number, frame: TypingFrame): void;
  /** To everyone who follows the chat, on every process. Never stored. */
  show(siteId: number, frame: PassingFrame): void;
  /** Call it after ending an account's sessions. */
  endUser(userId: string): void;
  close(): Promise<void>;
}

/** Starts listening for other processes' notices, and the timers for presence, viewing and availability. */
export async function startLive(options: LiveOptions): Promise<Live> {
  const { database, changes, log, onGap } = options;
  let bus: Bus | undefined;
  const publish = createPublisher(() => bus);
  const followed = new FollowedSites(channelOfSite, () => bus);
  const pages = new FollowedSites(channelOfPages, () => bus);
  const recall = async (siteId: number): Promise<void> => bus?.recall(channelOfSite(siteId));
  const parts = createParts(options, { followed, pages, publish, recall });
  const { hub, presence, viewing, visitors, availability, agentSockets } = parts;
  const deliver = createDelivery(parts, options, (part) => outbox.isNew(part));
  const outbox = new Outbox({
    db: database.db,
    log,
    changes,
    followed,
    deliver: deliver.notice,
    onGap(since) {
      onGap();
      hub.catchUpAll(since);
      availability.check();
    },
  });
  bus = await openBus(options, parts, deliver.receive, outbox);
  await outbox.start();
  presence.repeat();
  const stopClocks = startClocks(parts);

  return {
    hub,
    presence,
    availability,
    viewing,
    visitors,
    agentSockets,
    desks: createDesks(parts),
    tell(siteId, notice, part) {
      if (part === undefined || outbox.isNew(part)) deliver.notice(siteId, notice);
      const { full, short } = forBus(siteId, notice, part);
      if (presence.hasOthers()) publish(full, short);
      else publish(short);
    },
    passTyping: (siteId, frame) => publish({ site: siteId, passing: frame }),
    show(siteId, frame) {
      deliver.passing(siteId, frame);
      publish({ site: siteId, passing: frame });
    },
    endUser(userId) {
      agentSockets.endUser(userId);
      publish({ ended: userId });
    },
    async close() {
      stopClocks();
      visitors.stop();
      await outbox.stop();
      await bus.close();
    },
  };
}

function createDesks({ hub, presence }: Pick<Parts, 'hub' | 'presence'>): Services['desks'] {
  return {
    async areOpen(siteId) {
      if (hub.hasAgents(siteId) || presence.isAnybodyAt(siteId)) return true;
      await presence.whenKnown(siteId);
      return presence.isAnybodyAt(siteId);
    },
  };
}

/** @param bus may not be open yet; messages sent by then needn't reach anybody */
function createPublisher(bus: () => Bus | undefined): (message: BusMessage, short?: BusMessage) => void {
  return (message, short) => {
    busMessages.add(1, 'sent');
    const held = statesOf(message);
    if (held) bus()?.retain(held.states, held.forMs, message);
    else bus()?.publish(channelOf(message), message, short);
  };
}

/** Over Redis if there is one, else over PostgreSQL. */
function openBus(
  { database, redis, log }: LiveOptions,
  { hub, presence, visitors }: Parts,
  onMessage: BusOptions['onMessage'],
  outbox: Outbox,
): Promise<Bus> {
  const openOther = (about: BusOptions): Promise<Bus> =>
    openPostgresBus({ url: database.directUrl, pool: database.pool, ...about });
  const about: BusOptions = {
    log,
    onMessage,
    onGap() {
      busGaps.add(1);
      outbox.readNow();
      // Notices that are in no outbox.
      presence.repeat();
      visitors.forgetOthers();
      hub.visitorsHereChanged();
    },
  };
  return redis ? openRedisBus({ redis, openOther, ...about }) : openOther(about);
}

interface Parts
  extends Pick<Live, 'hub' | 'presence' | 'viewing' | 'visitors' | 'availability' | 'agentSockets'> {
  noteAtDesk(seats: AgentSeat[]): void;
}

/** The part of the bus that other parts of a process use. It may do nothing until the bus is open. */
interface Wiring {
  followed: FollowedSites;
  pages: FollowedSites;
  /** Sends to the other processes. */
  publish(notice: PresenceNotice | ViewingNotice | LiveNotice): void;
  recall(siteId: number): Promise<void>;
}

function createParts(options: LiveOptions, { followed, pages, publish, recall }: Wiring): Parts {
  const { feed, log, officeHoursOf, facesOf, sendsMail } = options;
  const hub = new Hub(feed, followed, log);
  const node = randomBytes(6).toString('hex');
  const now = (): number => options.now().getTime();
  const noteAtDesk = (seats: AgentSeat[]): void => {
    if (seats.length === 0) return;
    options.noteAtDesk(seats).catch((error) => log.warn({ err: error }, 'recording presence failed'));
  };
  const presence = createPresence({
    node,
    now,
    onChange(siteId) {
      const { online, away } = presence.present(siteId);
      hub.toAgents(siteId, { type: 'presence', online_agent_ids: online, away_agent_ids: away });
      availability.tell(siteId);
    },
    onAtDesk: (seat) => noteAtDesk([seat]),
    publish,
    recall,
  });
  const viewing = createViewing({
    node,
    now,
    isShown: (siteId, agentId) => presence.isShown({ siteId, agentId }),
    publish,
  });
  const visitors = createLiveBoard({
    node,
    now,
    hasOthers: () => presence.hasOthers(),
    onChange: (siteId) => hub.tell(siteId, { kind: 'visitors_here' }),
    followed,
    pages,
    publish,
  });
  const availability = createAvailability({ hub, presence, log, now, officeHoursOf, facesOf, sendsMail });
  const agentSockets = createAgentSockets();
  return { hub, presence, viewing, visitors, availability, agentSockets, noteAtDesk };
}

/** Handles a change in this process, whichever process made it. */
function createDelivery(
  { hub, presence, viewing, visitors, availability, agentSockets }: Parts,
  { onNotice }: Pick<LiveOptions, 'onNotice'>,
  isNew: (part: string) => boolean,
) {
  const notice = (siteId: number, one: Notice): void => {
    hub.tell(siteId, one);
    onNotice(siteId, one);
    if (one.kind === 'site' || one.kind === 'agents') availability.tell(siteId);
  };
  const passing = (siteId: number, frame: PassingFrame): void => {
    if (frame.type === 'typing') hub.passTyping(siteId, frame);
    else hub.pass(siteId, frame.session_id, frame);
  };
  /** @param raw a message from the bus, or a state as it was `ageMs` ago */
  const receive = (raw: unknown, ageMs: number): void => {
    busMessages.add(1, 'received');
    const message = readBusMessage(raw);
    if (!message) return;
    if ('presence' in message) presence.learn(message, ageMs);
    else if ('viewing' in message) viewing.learn(message, ageMs);
    else if ('watching' in message || 'tabs' in message || 'left' in message || 'call' in message)
      visitors.learn(message);
    else if ('ended' in message) agentSockets.endUser(message.ended);
    else if ('passing' in message) passing(message.site, message.passing);
    else if (message.part === undefined || isNew(message.part)) notice(message.site, message.notice);
  };
  return { notice, passing, receive };
}

/** @returns a function that stops them */
function startClocks({ presence, viewing, visitors, availability, noteAtDesk }: Parts): () => void {
  const clocks = [
    setInterval(() => presence.repeat(), PRESENCE_REPEAT_MS),
    setInterval(() => viewing.repeat(), VIEWING_REPEAT_MS),
    setInterval(() => visitors.tick(), LIVE_TICK_MS),
    setInterval(() => noteAtDesk(presence.atDesk()), AT_DESK_MS),
    setInterval(() => availability.check(), OFFICE_CLOCK_MS),
  ];
  return () => {
    for (const clock of clocks) clearInterval(clock);
  };
}
