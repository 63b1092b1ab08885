import { describe, expect, it } from 'vitest';
import type { AttemptRecord } from './attempt-record.ts';
import { createAttemptRecorder } from './attempt-recorder.ts';

const at = new Date(0);
const attempt = (id: number): AttemptRecord => ({
  delivery: {
    siteId: 1,
    id,
    deliveryId: `dlv_${id}`,
    subscriptionId: 1,
    event: 'handoff',
    body: Buffer.from('{}'),
    url: 'https://example.com/',
    secretCipher: Buffer.from('x'),
    previousSecretCipher: null,
    attemptsMade: 0,
    attemptsBefore: 0,
    traceparent: null,
  },
  at,
  endedAt: at,
  exchange: { statusCode: 200, error: null, durationMs: 1, excerpt: null },
  signatures: null,
  outcome: { state: 'delivered' },
});

function recorder(write: (ids: number[]) => Promise<void>) {
  const errors: unknown[] = [];
  const made = createAttemptRecorder({
    write: (records) => write(records.map(({ delivery }) => delivery.id)),
    onError: (error) => errors.push(error),
    giveUpAfterMs: 60_000,
  });
  return { ...made, errors };
}

describe('the recorder of attempts', () => {
  it('writes everything that ended meanwhile together', async () => {
    const written: number[][] = [];
    const { record } = recorder(async (ids) => void written.push(ids));
    await Promise.all([1, 2, 3].map((id) => record(attempt(id))));
    expect(written).toEqual([[1], [2, 3]]);
  });

  it('retries records that could not be written', async () => {
    let failures = 1;
    const { record, errors } = recorder(async () => {
      if (failures-- > 0) throw new Error('the database is away');
    });
    expect(await record(attempt(1))).toBe(true);
    expect(errors).toHaveLength(1);
  });

  it('does not let a refused one keep the others from being written', async () => {
    const written: number[] = [];
    const { record } = recorder(async (ids) => {
      if (ids.includes(2) && !written.includes(4)) throw new Error('refused');
      written.push(...ids);
    });
    expect(await Promise.all([1, 2, 3, 4].map((id) => record(attempt(id))))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(written).toEqual([1, 3, 4, 2]);
  });

  it('drops a failing record at once after it was closed', async () => {
    const { record, close } = recorder(() => Promise.reject(new Error('the database is away')));
    close();
    expect(await record(attempt(1))).toBe(false);
  });
});
