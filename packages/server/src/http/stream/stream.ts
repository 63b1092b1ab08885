import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { WebhookEvent } from '@foyer/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, invalidInput } from '../../base/errors.ts';
import type { Db } from '../../db/database.ts';
import {
  keepRecording,
  mayResume,
  placeId,
  placeOf,
  presentPlace,
  readStream,
  type StreamPlace,
} from '../../webhooks/stream/stream-events.ts';
import { streamTypes } from '../../webhooks/stream/stream-types.ts';
import { type Admit, EXPOSED_HEADERS, queryOf } from '../rest/admission.ts';

/** Streams of one token at this process. */
export const STREAMS_PER_TOKEN = 5;
/** Events read at a time, which limits the memory of a slow reader. */
const BATCH = 50;
/** How often a quiet stream looks for events. */
const QUIET_MS = 500;
const RENEW_MS = 60_000;

interface StreamOptions {
  admit: Admit;
  db: Db;
  now(): Date;
  /** How often a quiet stream shows that it is alive. Default 15 s. */
  heartbeatMs?: number;
  /** How long a reader may leave sent data unread. Default 30 s. */
  unreadMs?: number;
}

interface Stream {
  siteId: number;
  tokenId: number;
  types: WebhookEvent[];
  after: StreamPlace;
  out: ServerResponse;
  unreadMs: number;
  /** Aborted when the reader disconnects or reads too slowly, and when the process stops. */
  end: AbortController;
}

/** @throws if the reader has disconnected, or reads too slowly: it resumes by its last event. */
async function write({ out, end, unreadMs }: Stream, text: string): Promise<void> {
  end.signal.throwIfAborted();
  if (out.write(text)) return;
  const timer = setTimeout(() => end.abort(), unreadMs);
  try {
    await once(out, 'drain', { signal: end.signal });
  } finally {
    clearTimeout(timer);
  }
}

/** Sends recorded events, until the reader disconnects, the process stops, or the token becomes invalid. */
async function follow(stream: Stream, { db, now, heartbeatMs = 15_000 }: StreamOptions): Promise<void> {
  const { siteId, tokenId, types } = stream;
  const { signal } = stream.end;
  let [sentAt, renewedAt] = [Date.now(), Date.now()];
  while (!signal.aborted) {
    const { after } = stream;
    const { events, isOver } = await readStream(db, {
      siteId,
      tokenId,
      after,
      types,
      now: now(),
      limit: BATCH,
    });
    if (isOver) return;
    for (const { event, body, ...place } of events) {
      await write(stream, `id: ${placeId(place)}\nevent: ${event}\ndata: ${body.toString()}\n\n`);
      stream.after = place;
    }
    if (events.length > 0) sentAt = Date.now();
    if (Date.now() - sentAt >= heartbeatMs) {
      await write(stream, ': alive\n\n');
      sentAt = Date.now();
    }
    if (Date.now() - renewedAt >= RENEW_MS) {
      await keepRecording(db, siteId, now());
      renewedAt = Date.now();
    }
    if (events.length < BATCH) await delay(QUIET_MS, undefined, { signal });
  }
}

function askedPlace(request: FastifyRequest, query: URLSearchParams): StreamPlace | undefined {
  const asked = request.headers['last-event-id'] ?? query.get('last_event_id') ?? undefined;
  if (asked === undefined || asked === '') return undefined;
  const place = placeOf(String(asked));
  if (!place) throw invalidInput([{ path: 'Last-Event-ID', message: 'isn’t the id of an event' }]);
  return place;
}

/** Opens the response and sends events until something ends the stream. */
async function serve(
  reader: Omit<Stream, 'after' | 'out' | 'unreadMs'>,
  asked: StreamPlace | undefined,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  options: StreamOptions,
): Promise<void> {
  const { db, now, unreadMs = 30_000 } = options;
  await keepRecording(db, reader.siteId, now());
  const resumes = asked !== undefined && (await mayResume(db, reader.siteId, asked, now()));
  const after = asked && resumes ? asked : await presentPlace(db);
  reply.hijack();
  const out = reply.raw;
  const headers = Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined);
  out.writeHead(200, {
    ...Object.fromEntries(headers),
    'content-type': 'text/event-stream; charset=utf-8',
    'x-accel-buffering': 'no',
    'x-service-request-id': request.id,
  });
  const stream = { ...reader, after, out, unreadMs };
  // The first id is where the stream begins, so that a reader who loses it before the first event misses none.
  const begin = asked && !resumes ? 'reset' : 'open';
  const opening = `retry: 2000\nid: ${placeId(after)}\nevent: ${begin}\ndata: {}\n\n`;
  const sent = write(stream, opening).then(() => follow(stream, options));
  await sent.catch((error: unknown) => {
    if (!reader.end.signal.aborted) request.log.info({ err: error }, 'a stream of events ended');
  });
  // Unread data would keep the connection open, and the process from stopping.
  if (out.writableNeedDrain) out.destroy();
  else out.end();
}

const KNOWN = new Set(['token', 'types', 'last_event_id']);

/**
 * Registers `GET /v1/stream`: the site's events as server-sent events. They are read from the table to which their
 * transaction has added them, so a reader may use any process.
 */
export function registerStream(server: FastifyInstance, options: StreamOptions): void {
  const { admit } = options;
  const open = new Map<number, number>();
  const streams = new Set<AbortController>();
  server.addHook('preClose', async () => {
    for (const end of streams) end.abort();
  });

  server.get('/v1/stream', async (request, reply) => {
    const query = queryOf(request);
    void reply.headers({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': EXPOSED_HEADERS,
      'cache-control': 'no-store',
    });
    const { site, actor } = await admit(request, reply, query);
    const types = streamTypes(actor, query.get('types'));
    const unknown = [...query.keys()].find((name) => !KNOWN.has(name));
    if (unknown !== undefined) throw invalidInput([{ path: unknown, message: 'isn’t a known parameter' }]);
    const asked = askedPlace(request, query);
    const count = open.get(actor.tokenId) ?? 0;
    if (count >= STREAMS_PER_TOKEN)
      throw new AppError('rate_limited', `A token can have ${STREAMS_PER_TOKEN} streams open.`, {
        headers: { 'retry-after': '30' },
      });
    open.set(actor.tokenId, count + 1);
    const end = new AbortController();
    streams.add(end);
    reply.raw.once('close', () => end.abort());
    try {
      const reader = { siteId: site.id, tokenId: actor.tokenId, types, end };
      await serve(reader, asked, { request, reply }, options);
    } finally {
      streams.delete(end);
      const left = (open.get(actor.tokenId) ?? 1) - 1;
      if (left > 0) open.set(actor.tokenId, left);
      else open.delete(actor.tokenId);
    }
  });
}
