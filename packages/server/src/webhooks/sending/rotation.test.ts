import { verify } from '@octokit/webhooks-methods';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import type { ReceivedRequest } from '../../../test/receiver.ts';
import {
  deliveriesOf,
  emitHandoff,
  eventually,
  run,
  subscribe,
  useWorld,
} from '../../../test/webhook-world.ts';

const world = useWorld();

/** As the page for receivers says: the new secret's header, or the old one's for as long as there is one. */
async function isGenuine({ headers, body }: ReceivedRequest, secret: string): Promise<boolean> {
  const given = [headers['x-service-signature'], headers['x-service-signature-previous']];
  const [current, previous] = await Promise.all(
    given.map((one) => (one ? verify(secret, body, one) : false)),
  );
  return Boolean(current || previous);
}

it('a rotation under load costs no delivery, whether a receiver keeps the old secret or uses the new one', async () => {
  const ctx = await world.site();
  const secrets = { stays: '', changes: '' };
  const receiverOf = (which: keyof typeof secrets) =>
    world.receiver((response, request) => {
      void isGenuine(request, secrets[which]).then((genuine) =>
        response.writeHead(genuine ? 204 : 401).end(),
      );
    });
  const [stays, changes] = [await receiverOf('stays'), await receiverOf('changes')];
  const one = await subscribe(ctx, stays.url);
  const two = await subscribe(ctx, changes.url);
  secrets.stays = one.secret ?? '';
  secrets.changes = two.secret ?? '';
  const worker = world.worker();
  let loading = true;
  let made = 0;
  const load = (async () => {
    while (loading) {
      await emitHandoff(ctx);
      worker.wake();
      made += 1;
    }
  })();
  await changes.received(20);
  const before = two.secret;
  await run(ctx, 'webhook_subscriptions.update', { id: one.id, rotate_secret: true });
  secrets.changes =
    (await run(ctx, 'webhook_subscriptions.update', { id: two.id, rotate_secret: true })).secret ?? '';
  expect(secrets.changes).not.toBe(before);
  await changes.received(changes.requests.length + 20);
  await stays.received(stays.requests.length + 20);
  loading = false;
  await load;
  await eventually(async () => (await deliveriesOf(ctx, { status: 'pending' })).length).toBe(0);
  expect(await deliveriesOf(ctx, { status: 'retrying' })).toEqual([]);
  expect(stays.requests).toHaveLength(made);
  expect(changes.requests).toHaveLength(made);
  const last = changes.requests.at(-1);
  for (const secret of [before ?? '', secrets.changes]) {
    // The clock of these tests stands still, so the library is given the time that was signed.
    const stamp = Number(last?.headers['webhook-timestamp']) * 1000;
    const real = Date.now;
    Date.now = () => stamp;
    try {
      expect(new Webhook(secret).verify(last?.body ?? '', last?.headers ?? {})).toBeTruthy();
    } finally {
      Date.now = real;
    }
  }
});
