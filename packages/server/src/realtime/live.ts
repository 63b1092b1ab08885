import { randomBytes } from 'node:crypto';
import type { OfficeHours, TeamFace } from '@foyer/protocol';
import type { Logger } from 'pino';
import type { PassingFrame } from '../context.ts';
import type { Database } from '../db/database.ts';
import type { Notice } from '../events.ts';
import { type AgentSockets, createAgentSockets } from './agent-sockets.ts';
import { type AvailabilityBoard, createAvailability, OFFICE_CLOCK_MS } from './availability.ts';
import { type Bus, openBus } from './bus.ts';
import { type Feed, Hub } from './hub.ts';
import { forBus, readBusMessage, type TypingFrame } from './notices.ts';
import { type AgentSeat, createPresence, PRESENCE_REPEAT_MS, type PresenceBoard } from './presence.ts';
import { createViewing, VIEWING_REPEAT_MS, type ViewingBoard } from './viewing.ts';

/** How exact it is known when an agent was last at the desk. */
const AT_DESK_MS = 30_000;

export interface LiveOptions {
  database: Database;
  feed: Feed;
  log: Logger;
  now(): Date;
  officeHoursOf(siteId: number): Promise<OfficeHours | null>;
  /** Of these agents, those whom visitors are shown. */
  facesOf(siteId: number, agentIds: readonly number[]): Promise<TeamFace[]>;
  /** Keeps when these agents were last seen working. */
  noteAtDesk(seats: AgentSeat[]): Promise<void>;
  /** What else must hear a notice: caches, workers. */
  onNotice(siteId: number, notice: Notice): void;
  /** Notices may have been missed: nothing that is remembered may be trusted. */
  onGap(): void;
}

/** Everything that goes out by itself: to this process's sockets, and to the other processes on the database. */
export interface Live {
  hub: Hub;
  presence: PresenceBoard;
  availability: AvailabilityBoard;
  viewing: ViewingBoard;
  agentSockets: AgentSockets;
  /** Told after the commit of a change that was made here. */
  tell(siteId: number, notice: Notice): void;
  /** To the other processes; this one's subscribers were told by the hub. Never stored. */
  passTyping(siteId: number, frame: TypingFrame): void;
  /** To all who follow the chat, in every process. Never stored. */
  show(siteId: number, frame: PassingFrame): void;
  /** The sessions of an account were ended. */
  endUser(userId: string): void;
  close(): Promise<void>;
}

export async function startLive(options: LiveOptions): Promise<Live> {
  const { database, feed, log, onNotice, onGap } = options;
  const hub = new Hub(feed, log);
  const agentSockets = createAgentSockets();
  let bus: Bus | undefined;

  const noteAtDesk = (seats: AgentSeat[]): void => {
    if (seats.length === 0) return;
    options.noteAtDesk(seats).catch((error) => log.warn({ err: error }, 'who is at the desk was not noted'));
  };
  const node = randomBytes(6).toString('hex');
  const presence = createPresence({
    node,
    now: () => options.now().getTime(),
    onChange(siteId) {
      const { online, away } = presence.present(siteId);
      hub.toAgents(siteId, { type: 'presence', online_agent_ids: online, away_agent_ids: away });
      availability.tell(siteId);
    },
    onAtDesk: (seat) => noteAtDesk([seat]),
    publish: (notice) => bus?.publish(notice),
  });
  const viewing = createViewing({
    node,
    now: () => options.now().getTime(),
    isShown: (siteId, agentId) => presence.isShown({ siteId, agentId }),
    publish: (notice) => bus?.publish(notice),
  });
  const availability = createAvailability({
    hub,
    presence,
    log,
    now: () => options.now().getTime(),
    officeHoursOf: options.officeHoursOf,
    facesOf: options.facesOf,
  });

  const hear = (siteId: number, notice: Notice): void => {
    hub.tell(siteId, notice);
    onNotice(siteId, notice);
    if (notice.kind === 'site' || notice.kind === 'agents') availability.tell(siteId);
  };

  const pass = (siteId: number, frame: PassingFrame): void => {
    if (frame.type === 'typing') hub.passTyping(siteId, frame);
    else hub.pass(siteId, frame.session_id, frame);
  };

  const receive = (raw: unknown): void => {
    const message = readBusMessage(raw);
    if (!message) return;
    if ('presence' in message) presence.learn(message);
    else if ('viewing' in message) viewing.learn(message);
    else if ('ended' in message) agentSockets.endUser(message.ended);
    else if ('passing' in message) pass(message.site, message.passing);
    else hear(message.site, message.notice);
  };

  bus = await openBus({
    url: database.url,
    pool: database.pool,
    log,
    onMessage: receive,
    onGap(since) {
      onGap();
      hub.catchUpAll(since);
      presence.repeat();
      availability.check();
    },
  });
  presence.repeat();
  const repeat = setInterval(presence.repeat, PRESENCE_REPEAT_MS);
  const viewed = setInterval(viewing.repeat, VIEWING_REPEAT_MS);
  const atDesk = setInterval(() => noteAtDesk(presence.atDesk()), AT_DESK_MS);
  const officeClock = setInterval(availability.check, OFFICE_CLOCK_MS);

  return {
    hub,
    presence,
    availability,
    viewing,
    agentSockets,
    tell(siteId, notice) {
      hear(siteId, notice);
      bus.publish(forBus(siteId, notice));
    },
    passTyping: (siteId, frame) => bus.publish({ site: siteId, passing: frame }),
    show(siteId, frame) {
      pass(siteId, frame);
      bus.publish({ site: siteId, passing: frame });
    },
    endUser(userId) {
      agentSockets.endUser(userId);
      bus.publish({ ended: userId });
    },
    async close() {
      clearInterval(repeat);
      clearInterval(viewed);
      clearInterval(atDesk);
      clearInterval(officeClock);
      await bus.close();
    },
  };
}
