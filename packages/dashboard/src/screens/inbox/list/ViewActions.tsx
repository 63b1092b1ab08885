import type { SavedView } from '@foyer/protocol';
import { NAME_MAX } from '@foyer/protocol/values/bounds';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { BookmarkPlus, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api.ts';
import { FormDialog } from '../../../forms/FormDialog.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { viewsQuery } from '../../../queries.ts';
import { Button } from '../../../ui/Button.tsx';
import { Confirm } from '../../../ui/dialogs/Dialog.tsx';
import { TextField } from '../../../ui/forms/Field.tsx';
import { Menu } from '../../../ui/Menu.tsx';
import { t } from '../filters/t.ts';
import { filterCount, type InboxSearch, setFilters, TICKET_FILTERS, ticketSearchOf } from './inbox-search.ts';

/** A view is of tickets alone: it holds no filter that only the inbox has. */
const canBeView = (search: InboxSearch): boolean =>
  (filterCount(search) > 0 || Boolean(search.q)) &&
  setFilters(search).every((name) => TICKET_FILTERS.includes(name)) &&
  ticketSearchOf(search).status === search.status;

/** Keeps a search as a view for the team, or changes the view that is open. */
export function ViewActions({ search, view }: { search: InboxSearch; view: SavedView | undefined }) {
  const [naming, setNaming] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const narrowed = filterCount(search) > 0 || Boolean(search.q);
  if (!view && !canBeView(search)) return null;
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
  const client = useQueryClient();
  const navigate = useNavigate();
  const { view: _, ...filter } = ticketSearchOf(search);
  const form = useForm({
    initial: { name: view?.name ?? '' },
    save: ({ name }) =>
      view
        ? call('saved_views.update', { id: view.id, name })
        : call('saved_views.create', { name, filter, sort: '-created' }),
    onSaved: async ({ id }) => {
      await client.invalidateQueries({ queryKey: viewsQuery.queryKey });
      onClose();
      if (!view) void navigate({ to: '/inbox', search: { view: id } });
    },
  });
  return (
    <FormDialog title={view ? t('view_rename') : t('view_new')} form={form} onClose={onClose}>
      <TextField
        label={t('view_name')}
        required
        autoFocus
        maxLength={NAME_MAX}
        placeholder={t('view_name_example')}
        hint={t('view_name_hint')}
        {...form.text('name')}
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
      action={t('view_delete')}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
    >
      {t('view_delete_detail')}
    </Confirm>
  );
}
