/**
 * Webhook deliveries a second to a fast receiver, each attempt logged, compared with the same HTTP client without a
 * database. Worker and receiver are separate processes.
 */

import type { Database } from '../packages/server/src/db/database.ts';
import { createSite } from '../packages/server/src/sites/sites.ts';
import {
  deliveryHeaders,
  newSecret,
  signaturesOf,
  signingKeyOf,
} from '../packages/server/src/webhooks/sending/signature.ts';
import { type Child, startChild } from './child.ts';
import { type Figure, interleave, rateFigure } from './figures.ts';
import { postmasterBehind, withDatabase } from './foyer.ts';
import { cpuFigure, sideOf } from './sides.ts';
import { makeDue, newBody, SECRET, subscribe } from './webhooks-seed.ts';

const ROUNDS = 5;
const DELIVERIES = 20_000;
const EACH = 4;

export async function webhooks(): Promise<Figure[]> {
  const [receiver, sender] = [startChild('webhooks-receiver.ts'), startChild('webhooks-worker.ts')];
  try {
    const url = await receiver.ask<string>({ plain: true });
    return await withDatabase((database) => compareRates(database, url, sender));
  } finally {
    await Promise.all([receiver.stop(), sender.stop()]);
  }
}

async function compareRates(database: Database, url: string, sender: Child): Promise<Figure[]> {
  const { db } = database;
  const postgres = await postmasterBehind(database);
  const { id } = await createSite(db, { name: 'Bench', plan: 'growth' });
  const figures: Figure[] = [];
  for (const count of [1, 32]) {
    const urls = Array.from({ length: count }, (_, at) => `${url}/ok/${count}/${at}`);
    const subscriptions = await subscribe(db, id, urls);
    const body = newBody(id);
    const about = { deliveryId: 'dlv_0123456789abcdef_1', event: 'handoff', attempt: 1, at: new Date() };
    const headers = deliveryHeaders(
      about,
      signaturesOf({ ...about, body, key: signingKeyOf(newSecret()), previousKey: null }),
    );
    const requests = urls.map((one) => ({ url: one, headers }));
    const ours = sideOf(sender.pid, postgres, async () => {
      const seconds = await sender.ask<number>({ drain: { url: database.url, secret: SECRET } });
      return { rate: DELIVERIES / seconds, operations: DELIVERIES };
    });
    const send = { requests, body: String(body), count: DELIVERIES, each: EACH };
    const least = sideOf(sender.pid, postgres, async () => ({
      rate: await sender.ask<number>({ send }),
      operations: DELIVERIES,
    }));
    const seen = await interleave(
      ROUNDS,
      async () => {
        await makeDue(db, id, subscriptions, DELIVERIES);
        return ours.round();
      },
      least.round,
    );
    const what = count === 1 ? 'deliveries to one receiver' : `deliveries to ${count} receivers`;
    figures.push(rateFigure(what, seen, '≥ 50 %, ≥ 1,500/s'), cpuFigure('… CPU of each', ours, least));
  }
  return figures;
}
