import type { SavedView } from '@foyer/protocol';
import { NAME_MAX } from '@foyer/protocol/bounds';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { BookmarkPlus, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ApiError, call } from '../../api.ts';
import { viewsQuery } from '../../queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { filterCount, type InboxSearch, ticketSearchOf } from './inbox-search.ts';
import { t } from './t.ts';

/** Keeps a search as a view for the team, or changes the view that is open. */
export function ViewActions({ search, view }: { search: InboxSearch; view: SavedView | undefined }) {
  const [naming, setNaming] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const narrowed = filterCount(search) > 0 || Boolean(search.q);
  if (!view && !narrowed) return null;
  return (
    <>
      {view && !narrowed ? (
        <Menu
          label={t('more_view', { name: view.name })}
          items={[
            { label: t('view_rename'), icon: <Pencil aria-hidden />, onSelect: () => setNaming(true) },
            {
              label: t('view_delete'),
              icon: <Trash2 aria-hidden />,
              danger: true,
              onSelect: () => setDeleting(true),
            },
          ]}
        />
      ) : (
        <Button
          small
          look="quiet"
          icon={<BookmarkPlus aria-hidden className="size-4" />}
          onClick={() => setNaming(true)}
        >
          {t('view_save')}
        </Button>
      )}
      {naming ? (
        <NameDialog view={narrowed ? undefined : view} search={search} onClose={() => setNaming(false)} />
      ) : null}
      {view ? <DeleteView view={view} open={deleting} onClose={() => setDeleting(false)} /> : null}
    </>
  );
}

interface NameDialogProps {
  /** Absent: a new one is made of the search. */
  view: SavedView | undefined;
  search: InboxSearch;
  onClose: () => void;
}

function NameDialog({ view, search, onClose }: NameDialogProps) {
  const [name, setName] = useState(view?.name ?? '');
  const client = useQueryClient();
  const navigate = useNavigate();
  const { view: _, ...filter } = ticketSearchOf(search);
  const save = useMutation({
    mutationFn: () =>
      view
        ? call('saved_views.update', { id: view.id, name })
        : call('saved_views.create', { name, filter, sort: '-created' }),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: viewsQuery.queryKey });
      onClose();
      if (!view) void navigate({ to: '/inbox', search: { view: id } });
    },
  });
  return (
    <FormDialog
      title={view ? t('view_rename') : t('view_new')}
      save={save}
      fields={['name']}
      onClose={onClose}
    >
      <TextField
        label={t('view_name')}
        required
        autoFocus
        maxLength={NAME_MAX}
        placeholder={t('view_name_example')}
        hint={t('view_name_hint')}
        value={name}
        error={save.error instanceof ApiError ? save.error.issue('name') : undefined}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  );
}

function DeleteView({ view, open, onClose }: { view: SavedView; open: boolean; onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => call('saved_views.delete', { id: view.id }),
    onSuccess: async () => {
      await navigate({ to: '/inbox', search: {} });
      await client.invalidateQueries({ queryKey: viewsQuery.queryKey });
    },
  });
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={t('view_delete_question', { name: view.name })}
      action={t('view_delete_do')}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
    >
      {t('view_delete_detail')}
    </Confirm>
  );
}
