import { VISITOR_COLUMNS_MAX } from '@foyer/protocol/values/bounds';
import { call } from '../../api.ts';
import { datedName, saveParts } from '../../save-parts.ts';
import { filterOf, type VisitorSearch } from './visitor-search.ts';

/** A limited number of known attributes get a column each. */

export async function saveVisitors(search: VisitorSearch): Promise<void> {
  const { attributes } = await call('visitor_fields.list', {});
  const columns = attributes.slice(0, VISITOR_COLUMNS_MAX).map(({ name }) => name);
  const filter = { ...filterOf(search, Date.now()), columns };
  await saveParts<string>(datedName('visitors', 'csv'), 'text/csv', (after) =>
    call('visitors.export', { ...filter, ...after }),
  );
}
