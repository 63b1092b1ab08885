import type { InboxView } from '@foyer/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ArrowDown, ArrowUp, BookmarkPlus, Copy, Pencil, Trash2, Undo2, Users } from 'lucide-react';
import { useState } from 'react';
import { ApiError, call } from '../../../api.ts';
import { useCommands } from '../../../commands/commands.ts';
import { useMay, useMe } from '../../../desk/DeskContext.tsx';
import { viewsQuery } from '../../../queries.ts';
import { Button } from '../../../ui/Button.tsx';
import { Menu } from '../../../ui/Menu.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { useMayChange } from '../../visibility/visibility.ts';
import { t } from '../filters/t.ts';
import { filterCount, type InboxSearch } from '../list/inbox-search.ts';
import { fits, isChanged, type Saving, savingOf } from './saving.ts';
import { useViewOrder } from './use-view-order.ts';
import { DeleteView, NewView, RenameView, ShareView } from './ViewDialogs.tsx';

interface ViewActionsProps {
  search: InboxSearch;
  /** The open view, changed on the screen or not. */
  view: InboxView | undefined;
}

type Open = 'save' | 'duplicate' | 'rename' | 'share' | 'delete' | null;

/** Saves the current list as a view, or changes the open view. */
export function ViewActions({ search, view }: ViewActionsProps) {
  const { agent } = useMe();
  const mayChange = useMayChange();
  const [open, setOpen] = useState<Open>(null);
  const saving = savingOf(search, view, agent.id);
  const changed = view !== undefined && isChanged(search, view, agent.id);
  const close = (): void => setOpen(null);
  useCommands({ save_view: saving && (!view || changed) ? () => setOpen('save') : undefined });
  const isWorthSaving = filterCount(search) > 0 || Boolean(search.q) || search.sort !== undefined;
  const own: Saving | undefined = view && (view.list ? { list: view.list } : savedTickets(view));
  return (
    <>
      {view && changed && fits(saving, view) && mayChange(view) ? (
        <SaveChanges search={search} view={view} saving={saving} />
      ) : saving && isWorthSaving && (!view || changed) ? (
        <Button
          small
          look="quiet"
          icon={<BookmarkPlus aria-hidden className="size-4" />}
          onClick={() => setOpen('save')}
        >
          {t('view_save')}
        </Button>
      ) : null}
      {view ? (
        <ViewMenu view={view} canSave={changed && saving !== undefined} changed={changed} onOpen={setOpen} />
      ) : null}
      {open === 'save' && saving ? <NewView saving={saving} onClose={close} /> : null}
      {open === 'duplicate' && view && own ? (
        <NewView saving={own} name={t('view_copy_name', { name: view.name })} onClose={close} />
      ) : null}
      {open === 'rename' && view ? <RenameView view={view} onClose={close} /> : null}
      {open === 'share' && view ? <ShareView view={view} onClose={close} /> : null}
      {view ? <DeleteView view={view} open={open === 'delete'} onClose={close} /> : null}
    </>
  );
}

const savedTickets = ({ tickets }: InboxView): Saving | undefined => (tickets ? { tickets } : undefined);

interface SaveChangesProps {
  search: InboxSearch;
  view: InboxView;
  saving: Saving;
}

function SaveChanges({ search, view, saving }: SaveChangesProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const version = search.version ?? view.version;
  const save = useMutation({
    mutationFn: () => call('inbox_views.update', { id: view.id, version, ...saving }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: viewsQuery.queryKey });
      await navigate({ to: '.', search: { view: view.id }, replace: true });
      toast.success(t('view_changes_saved', { name: view.name }));
    },
    onError: async (error) => {
      toast.error(t('view_not_saved'), error);
      if (!(error instanceof ApiError) || error.code !== 'conflict') return;
      // Loads the other change, so that saving again knows about it.
      const { items } = await client.fetchQuery({ ...viewsQuery, staleTime: 0 });
      const now = items.find(({ id }) => id === view.id);
      if (now?.list) await navigate({ to: '.', search: { ...search, version: now.version }, replace: true });
    },
  });
  return (
    <Button small busy={save.isPending} onClick={() => save.mutate()}>
      {t('view_save_changes')}
    </Button>
  );
}

interface ViewMenuProps {
  view: InboxView;
  canSave: boolean;
  changed: boolean;
  onOpen: (open: Open) => void;
}

function ViewMenu({ view, canSave, changed, onOpen }: ViewMenuProps) {
  const navigate = useNavigate();
  const { at, count, move } = useViewOrder(view);
  const mayShare = useMay('shared');
  const mayChange = useMayChange()(view);
  return (
    <Menu
      label={t('more_view', { name: view.name })}
      items={[
        canSave && {
          label: t('view_save_new'),
          icon: <BookmarkPlus aria-hidden />,
          onSelect: () => onOpen('save'),
        },
        changed && {
          label: t('view_discard'),
          icon: <Undo2 aria-hidden />,
          onSelect: () => void navigate({ to: '.', search: { view: view.id }, replace: true }),
        },
        mayChange && {
          label: t('view_rename'),
          icon: <Pencil aria-hidden />,
          onSelect: () => onOpen('rename'),
        },
        { label: t('view_duplicate'), icon: <Copy aria-hidden />, onSelect: () => onOpen('duplicate') },
        mayShare && {
          label: t('view_share'),
          icon: <Users aria-hidden />,
          onSelect: () => onOpen('share'),
        },
        mayChange &&
          at > 0 && { label: t('view_up'), icon: <ArrowUp aria-hidden />, onSelect: () => move(at, at - 1) },
        mayChange &&
          at < count - 1 && {
            label: t('view_down'),
            icon: <ArrowDown aria-hidden />,
            onSelect: () => move(at, at + 1),
          },
        mayChange && {
          label: t('view_delete'),
          icon: <Trash2 aria-hidden />,
          danger: true,
          onSelect: () => onOpen('delete'),
        },
      ]}
    />
  );
}
