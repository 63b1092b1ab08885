import type { ExportKind } from '@foyer/protocol';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { call } from '../../../api.ts';
import { useMay } from '../../../desk/DeskContext.tsx';
import { datedName, saveParts } from '../../../save-parts.ts';
import { Menu } from '../../../ui/Menu.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { targetOfSearch } from '../bulk/selection.ts';
import { HEAD_CONTROL } from '../filters/FilterMenu.tsx';
import { t } from '../filters/t.ts';
import type { InboxSearch } from '../list/inbox-search.ts';

/** Saves what the list shows, loaded or not, as CSV: its tickets or its chats. */
export function ExportMenu({ search }: { search: InboxSearch }) {
  const may = useMay('personal_data');
  const save = useMutation({
    mutationFn: (kind: ExportKind) => {
      const of = targetOfSearch(search);
      return saveParts<string>(datedName(kind, 'csv'), 'text/csv', (after) =>
        call('inbox.export', { kind, of, ...after }),
      );
    },
    onError: (error) => toast.error(t('export_failed'), error),
  });
  if (!may) return null;
  return (
    <Menu
      label={t('export')}
      disabled={save.isPending}
      items={[
        { label: t('export_tickets'), onSelect: () => save.mutate('tickets') },
        { label: t('export_chats'), onSelect: () => save.mutate('chats') },
      ]}
      trigger={
        <button type="button" aria-label={t('export')} title={t('export')} className={HEAD_CONTROL}>
          <Download aria-hidden className="size-4" />
        </button>
      }
    />
  );
}
