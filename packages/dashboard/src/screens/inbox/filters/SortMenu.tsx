import { useNavigate } from '@tanstack/react-router';
import { ArrowDownWideNarrow } from 'lucide-react';
import { oneOf } from '../../../address-search.ts';
import { useCommands } from '../../../commands/commands.ts';
import { useMe } from '../../../desk/DeskContext.tsx';
import { Menu } from '../../../ui/Menu.tsx';
import type { InboxSearch } from '../list/inbox-search.ts';
import { keepSort, sortingOf } from '../list/inbox-sorts.ts';
import { HEAD_CONTROL } from './FilterMenu.tsx';
import { t } from './t.ts';

/** The order of the list. It is in the address, and remembered for this agent's next visit to the queue. */
export function SortMenu({ search }: { search: InboxSearch }) {
  const navigate = useNavigate();
  const { agent } = useMe();
  const { choices, sort } = sortingOf(search, agent.id);
  const choose = (value: string): void => {
    const chosen = oneOf(value, choices ?? []);
    if (!chosen) return;
    // A view has its own order.
    if (search.base === undefined) keepSort(search, agent.id, chosen);
    void navigate({ to: '.', search: { ...search, sort: chosen }, replace: true });
  };
  const options = (choices ?? []).map((value) => ({ value, label: t(`sort_${value}`) }));
  useCommands({
    sort: choices && {
      choices: () =>
        options.map(({ value, label }) => ({
          key: value,
          label,
          isCurrent: value === sort,
          run: () => choose(value),
        })),
    },
  });
  if (!choices) return null;
  const words = t('sort_by', { order: t(`sort_${sort}`) });
  return (
    <Menu
      label={words}
      items={[]}
      choice={{ label: t('sort'), value: sort, options, onChange: choose }}
      trigger={
        <button type="button" aria-label={words} title={words} className={HEAD_CONTROL}>
          <ArrowDownWideNarrow aria-hidden className="size-4" />
        </button>
      }
    />
  );
}
