import type { SavedView } from '@foyer/protocol';
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
          label={`More for the view ${view.name}`}
          items={[
            { label: 'Rename the view', icon: <Pencil aria-hidden />, onSelect: () => setNaming(true) },
            {
              label: 'Delete the view',
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
          Save as view
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
    <FormDialog title={view ? 'Rename the view' : 'New view'} save={save} fields={['name']} onClose={onClose}>
      <TextField
        label="Name"
        required
        autoFocus
        maxLength={100}
        placeholder="Urgent refunds"
        hint="Everybody of the team sees it, with how many tickets are in it."
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
      title={`Delete the view “${view.name}”?`}
      action="Delete view"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
    >
      It goes for the whole team. Its tickets stay.
    </Confirm>
  );
}
