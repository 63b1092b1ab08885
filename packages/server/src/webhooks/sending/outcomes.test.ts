import { expect, it } from 'vitest';
import {
  type Answer,
  answerWith,
  dripping,
  endless,
  halfAnAnswer,
  reset,
  type startReceiver,
} from '../../../test/receiver.ts';
import { SELF_SIGNED } from '../../../test/self-signed.ts';
import {
  deliveriesOf,
  emitHandoff,
  eventually,
  run,
  subscribe,
  useWorld,
} from '../../../test/webhook-world.ts';
import { EXCERPT_BYTES } from '../../net/sender.ts';

const world = useWorld();

/** The log's entry of an attempt. */
interface Recorded {
  status_code: number | null;
  error: string | null;
  response_excerpt: string | null;
}

const answered = (status: number): Recorded => ({
  status_code: status,
  error: `The receiver answered ${status}.`,
  response_excerpt: 'its words',
});
const redirected = (status: number): Recorded => ({
  ...answered(status),
  error: `The receiver answered ${status}; redirects are not followed.`,
});
const worked = (status: number, excerpt: string | null): Recorded => ({
  status_code: status,
  error: null,
  response_excerpt: excerpt,
});
const nothing = (error: string): Recorded => ({ status_code: null, error, response_excerpt: null });
const says = (status: number) => answerWith(status, 'its words');
const away = (status: number) =>
  answerWith(status, 'its words', { location: 'http://127.0.0.1:9/elsewhere' });

const CLOSED = 'The connection was closed before the response was complete.';
const TIMEOUT_MS = 300;
const TOO_LATE = 'No complete response within 0.3 s.';

/** Sends one event to a receiver like this; returns its log entry, and a way to advance the time. */
async function scene(...receiver: Parameters<typeof startReceiver>) {
  const [ctx, { url }] = [await world.site(), await world.receiver(...receiver)];
  const worker = world.worker({ timeoutMs: TIMEOUT_MS });
  const from = world.clock.now().getTime();
  const after = (seconds: number) => new Date(from + seconds * 1000).toISOString();
  const { id } = await subscribe(ctx, url);
  await emitHandoff(ctx);
  const read = async () => {
    const [delivery, ...others] = await deliveriesOf(ctx);
    if (!delivery || others.length > 0) throw new Error(`${others.length} others`);
    return delivery;
  };
  const attempted = async (count: number) => {
    await eventually(async () => (await read()).attempts.length).toBe(count);
    return read();
  };
  const later = (ms: number) => {
    world.clock.add(ms);
    worker.wake();
  };
  const subscription = () => run(ctx, 'webhook_subscriptions.list', { id });
  return { after, attempted, later, subscription };
}

it.each<[string, Answer, Recorded]>([
  ['200 with words', says(200), worked(200, 'its words')],
  ['201', answerWith(201), worked(201, null)],
  ['204', answerWith(204), worked(204, null)],
  ['200 and words without end', endless, worked(200, 'x'.repeat(EXCERPT_BYTES))],
])(
  'a receiver that answers %s has the event: it is delivered, and not sent again',
  async (_name, answer, is) => {
    const { attempted, later, subscription } = await scene(answer);
    const { status, attempts, next_attempt_utc } = await attempted(1);
    expect({ status, next_attempt_utc }).toEqual({ status: 'delivered', next_attempt_utc: null });
    expect(attempts).toMatchObject([{ number: 1, ...is }]);
    later(24 * 3_600_000);
    expect((await attempted(1)).status).toBe('delivered');
    expect(await subscription()).toMatchObject({ enabled: true, failing_since_utc: null });
  },
);

type Failure = [string, Recorded, ...Parameters<typeof startReceiver>];
const refusal = (status: number): Failure => [`answers ${status}`, answered(status), says(status)];

it.each<Failure>([
  ['answers 301, elsewhere', redirected(301), away(301)],
  ['answers 302, elsewhere', redirected(302), away(302)],
  ['answers 308, elsewhere', redirected(308), away(308)],
  ...[400, 401, 403, 404, 408, 413, 422, 429, 500, 502, 503, 504].map(refusal),
  ['resets the connection', nothing(CLOSED), reset],
  ['breaks its answer off', { ...worked(200, 'half of it'), error: CLOSED }, halfAnAnswer],
  ['says nothing', nothing(TOO_LATE), () => undefined],
  [
    'drips',
    { status_code: 200, error: TOO_LATE, response_excerpt: expect.stringMatching(/^\.+$/) },
    dripping,
  ],
  ['has a wrong certificate', nothing('The TLS certificate is self-signed.'), says(200), SELF_SIGNED],
])(
  'a delivery to a receiver that %s is recorded with a reason and sent again',
  async (_name, is, ...receiver) => {
    const { after, attempted, later, subscription } = await scene(...receiver);
    expect(await attempted(1)).toMatchObject({
      status: 'retrying',
      next_attempt_utc: after(30),
      attempts: [{ number: 1, at_utc: after(0), ...is }],
    });
    expect(await subscription()).toMatchObject({
      enabled: true,
      failing_since_utc: after(0),
    });
    later(30_000);
    expect(await attempted(2)).toMatchObject({
      status: 'retrying',
      next_attempt_utc: after(150),
      attempts: [is, { number: 2, at_utc: after(30), ...is }],
    });
  },
);

it('a receiver that answers 410 is not tried again: the delivery is dead and the subscription disabled', async () => {
  const { attempted, later, subscription } = await scene(says(410));
  expect(await attempted(1)).toMatchObject({
    status: 'dead',
    next_attempt_utc: null,
    attempts: [answered(410)],
  });
  expect(await subscription()).toMatchObject({
    enabled: false,
    disabled_reason: 'The receiver answered 410 Gone.',
  });
  later(24 * 3_600_000);
  expect((await attempted(1)).status).toBe('dead');
});
