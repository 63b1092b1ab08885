import { call } from '../../api.ts';
import { saveFile } from '../../save-file.ts';
import { filterOf, type VisitorSearch } from './visitor-search.ts';

/** Of the attributes that are known, so many have a column each. */
const COLUMNS_MAX = 50;

/** Parts of a bounded size, put together here. */
export async function saveVisitors(search: VisitorSearch): Promise<void> {
  const { attributes } = await call('visitor_fields.list', {});
  const columns = attributes.slice(0, COLUMNS_MAX).map(({ name }) => name);
  const filter = { ...filterOf(search, Date.now()), columns };
  const parts: string[] = [];
  let after: string | undefined;
  do {
    const { text, next } = await call('visitors.export', { ...filter, ...(after ? { after } : {}) });
    parts.push(text);
    after = next ?? undefined;
  } while (after);
  saveFile(`visitors-${new Date().toISOString().slice(0, 10)}.csv`, parts.join(''), 'text/csv');
}
