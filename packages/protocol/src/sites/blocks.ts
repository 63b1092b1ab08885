import { z } from 'zod';
import { BLOCK_NOTE_MAX, BLOCK_VALUE_MAX } from '../values/bounds.ts';
import { BLOCK_KINDS } from '../values/wire-names.ts';
import { agentRef, deleted, id, page, paging, TIME_FORM, text, time, utc } from '../values.ts';

const kind = z
  .enum(BLOCK_KINDS)
  .describe(
    '`email`: an address or a domain; `address`: an IP address or range; `country`: by the browser’s time zone; `phrase`: words of a message',
  );

export const block = z.object({
  id,
  kind,
  value: z
    .string()
    .describe('In lower case, a country in upper case; an IPv6 address as the /64 that it is in'),
  note: z.string().nullable(),
  expires_utc: utc.nullable().describe('When it ends; null: never'),
  hits: z.int().describe('How often it applied; parallel hits may count as one'),
  last_hit_utc: utc.nullable(),
  agent: agentRef.nullable().describe('Who blocked it; null for a token'),
  ticket_id: id.nullable().describe('The ticket whose sender was blocked; null if it wasn’t done there'),
  created_utc: utc,
});
export type Block = z.infer<typeof block>;

const note = text(0, BLOCK_NOTE_MAX).nullable().describe('For the team').optional();
const expires = time.nullable().describe(`When it ends; null: never. ${TIME_FORM}`).optional();

export const blocksContract = {
  /** Those that haven't expired, the newest first unless `order=asc`. */
  'blocks.list': {
    input: z.strictObject({ ...paging, kind: kind.optional() }),
    output: page(block),
  },
  /** An existing block gets the new note and expiry, if they are given. */
  'blocks.create': {
    input: z
      .strictObject({
        kind,
        value: text(1, BLOCK_VALUE_MAX).describe(
          'An email address or domain; an IP address or range such as 203.0.113.0/24; two letters of ISO 3166; or a phrase',
        ),
        note,
        expires_utc: expires,
        ticket_id: id.optional().describe('The ticket whose sender this is'),
      })
      .meta({ examples: [{ kind: 'address', value: '203.0.113.0/24', note: 'Floods the chat' }] }),
    output: block.extend({ existed: z.boolean().describe('Whether it was blocked already') }),
  },
  'blocks.update': {
    input: z.strictObject({ id, note, expires_utc: expires }),
    output: block,
  },
  'blocks.delete': { input: z.strictObject({ id }), output: deleted },
} as const;
