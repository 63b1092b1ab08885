import { webhookSentence } from '@foyer/protocol/values/webhook-sentences';
import type { Logger } from 'pino';
import type { Exchange, Sender } from '../../net/sender.ts';
import type { AttemptRecorder } from './attempt-recorder.ts';
import type { DueDelivery } from './lane-leases.ts';
import type { Sent } from './lanes.ts';
import { outcomeOf } from './schedule.ts';
import { deliveryHeaders, type Signatures, signaturesOf } from './signature.ts';
import type { OpenKey } from './signing-keys.ts';

export interface AttemptParts {
  log: Logger;
  openKey: OpenKey;
  /** Delays before the retries, in order. */
  delaysMs: readonly number[];
  now(): Date;
  random(): number;
  sender: Sender;
  recorder: AttemptRecorder;
  breakOff: AbortSignal;
}

type AttemptEnd = 'settled' | 'retry' | 'unknown';

const UNREADABLE: Exchange = {
  statusCode: null,
  error: webhookSentence('secret_unreadable'),
  durationMs: 0,
  excerpt: null,
};

function sign(delivery: DueDelivery, at: Date, { openKey }: AttemptParts): Signatures | null {
  const { previousSecretCipher } = delivery;
  try {
    return signaturesOf({
      deliveryId: delivery.deliveryId,
      at,
      body: delivery.body,
      key: openKey(delivery.secretCipher),
      previousKey: previousSecretCipher && openKey(previousSecretCipher),
    });
  } catch {
    return null;
  }
}

/**
 * One attempt, from signing to its record. An aborted one isn't counted, because its result is unknown.
 * @param sent called when the exchange is over, before it is recorded
 */
export async function attempt(
  delivery: DueDelivery,
  sent: (how: Sent) => void,
  parts: AttemptParts,
): Promise<AttemptEnd> {
  const at = parts.now();
  const number = delivery.attemptsMade + 1;
  const signatures = sign(delivery, at, parts);
  const { url, body, deliveryId, event, traceparent } = delivery;
  const exchange = signatures
    ? await parts.sender.send({
        url,
        headers: deliveryHeaders({ deliveryId, event, attempt: number, at }, signatures),
        body,
        ...(traceparent === null ? {} : { parent: traceparent }),
      })
    : UNREADABLE;
  sent(exchange);
  if (parts.breakOff.aborted && exchange.error !== null) return 'unknown';
  const endedAt = parts.now();
  const failuresBefore = delivery.attemptsMade - delivery.attemptsBefore;
  const outcome = outcomeOf(exchange, failuresBefore, endedAt, parts);
  const written = await parts.recorder.record({ delivery, at, endedAt, exchange, outcome, signatures });
  const about = { site_id: delivery.siteId, delivery_id: deliveryId, attempt: number };
  if (!written) {
    parts.log.warn(about, 'recording a webhook attempt failed; it will be sent again');
    return 'unknown';
  }
  if (outcome.state === 'dead')
    parts.log.warn({ ...about, reason: exchange.error }, 'a webhook delivery is dead');
  return outcome.state === 'retry' ? 'retry' : 'settled';
}
