import { ExportMenu } from '../export/ExportMenu.tsx';
import type { InboxSearch } from '../list/inbox-search.ts';
import { FilterMenu } from './FilterMenu.tsx';
import { SortMenu } from './SortMenu.tsx';

/** What is beside the search of the list. */
export const Controls = ({ search }: { search: InboxSearch }) => (
  <>
    <SortMenu search={search} />
    <FilterMenu search={search} />
    <ExportMenu search={search} />
  </>
);
