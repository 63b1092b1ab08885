import type { Block } from '@foyer/protocol';
import { BLOCK_KINDS, type BlockKind } from '@foyer/protocol/values/wire-names';
import { given, oneOf } from '../../address-search.ts';
import { pagesQuery } from '../../call-queries.ts';
import { countryName } from './countries.ts';

/** The filter of Settings → Blocked in the address. */
export interface BlockFilter {
  kind?: BlockKind;
}

/** Reads the filter from the address. An invalid value is ignored. */
export const readBlockFilter = (search: Record<string, unknown>): BlockFilter =>
  given<BlockFilter>({ kind: oneOf(search.kind, BLOCK_KINDS) });

/** What is blocked, newest first. */
export const blocksQuery = ({ kind }: BlockFilter) =>
  pagesQuery(['blocks', kind ?? 'all'], 'blocks.list', () => (kind ? { kind } : {}), { staleTime: 0 });

/** What a block is about, as people read it. */
export function nameOf({ kind, value }: Pick<Block, 'kind' | 'value'>): string {
  if (kind === 'country') return countryName(value);
  return kind === 'email' && !value.includes('@') ? `@${value}` : value;
}
