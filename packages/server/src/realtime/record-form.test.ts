import { createHash } from 'node:crypto';
import { message, session } from '@foyer/protocol';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { RECORD_FORM } from './notices.ts';

test('processes of two versions understand each other’s records only if these have the same form', () => {
  const schemas = [message, session].map((schema) => z.toJSONSchema(schema, { unrepresentable: 'any' }));
  const hash = createHash('sha256').update(JSON.stringify(schemas)).digest('hex').slice(0, 16);
  // Messages or sessions have changed: increase RECORD_FORM, and write its new hash here.
  expect([RECORD_FORM, hash]).toEqual([8, '0471a28bf130ec22']);
});
