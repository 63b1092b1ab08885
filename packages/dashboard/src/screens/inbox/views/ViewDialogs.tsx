import type { InboxView } from '@foyer/protocol';
import { NAME_MAX } from '@foyer/protocol/values/bounds';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../../api.ts';
import { FormDialog } from '../../../forms/FormDialog.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { viewsQuery } from '../../../queries.ts';
import { Confirm } from '../../../ui/dialogs/Dialog.tsx';
import { TextField } from '../../../ui/forms/Field.tsx';
import { VisibilityField } from '../../visibility/VisibilityField.tsx';
import { PRIVATE, type Seen, seenBy, seenNowBy } from '../../visibility/visibility.ts';
import { t } from '../filters/t.ts';
import type { Saving } from './saving.ts';

interface NewViewProps {
  saving: Saving;
  name?: string;
  onClose: () => void;
}

/** Asks for a new view's name, and who can see it. */
export function NewView({ saving, name = '', onClose }: NewViewProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({
    initial: { name, seen: PRIVATE },
    save: ({ seen, ...values }) =>
      call('inbox_views.create', { name: values.name, ...seenBy(seen), ...saving }),
    onSaved: async ({ id }) => {
      await client.invalidateQueries({ queryKey: viewsQuery.queryKey });
      onClose();
      void navigate({ to: '/inbox', search: { view: id } });
    },
  });
  return (
    <FormDialog title={t('view_new')} form={form} failure={t('view_not_saved')} onClose={onClose}>
      <TextField
        label={t('view_name')}
        required
        autoFocus
        maxLength={NAME_MAX}
        placeholder={t('view_name_example')}
        {...form.text('name')}
      />
      <VisibilityField value={form.values.seen} onChange={(seen) => form.set({ seen })} />
      {'tickets' in saving ? <p className="text-soft">{t('view_tickets_hint')}</p> : null}
    </FormDialog>
  );
}

interface ViewDialogProps {
  view: InboxView;
  onClose: () => void;
}

/** Asks for a view's new name. */
export function RenameView({ view, onClose }: ViewDialogProps) {
  const client = useQueryClient();
  const form = useForm({
    initial: { name: view.name },
    save: ({ name }) => call('inbox_views.update', { id: view.id, name }),
    onSaved: async () => {
      await client.invalidateQueries({ queryKey: viewsQuery.queryKey });
      onClose();
    },
  });
  return (
    <FormDialog title={t('view_rename')} form={form} failure={t('view_not_saved')} onClose={onClose}>
      <TextField
        label={t('view_name')}
        required
        autoFocus
        maxLength={NAME_MAX}
        hint={view.visibility === 'private' ? undefined : t('view_name_hint')}
        {...form.text('name')}
      />
    </FormDialog>
  );
}

type ConfirmProps = ViewDialogProps & { open: boolean };

/** Shares a private view, or a shared one with others. */
export function ShareView({ view, onClose }: ViewDialogProps) {
  const client = useQueryClient();
  const before: Seen = { visibility: view.visibility, team_id: view.team_id };
  const form = useForm({
    initial: { seen: before },
    save: ({ seen }) => call('inbox_views.update', { id: view.id, ...seenNowBy(seen, before) }),
    onSaved: async () => {
      await client.invalidateQueries({ queryKey: viewsQuery.queryKey });
      onClose();
    },
  });
  return (
    <FormDialog title={t('view_share')} form={form} failure={t('view_not_saved')} onClose={onClose}>
      <VisibilityField value={form.values.seen} before={before} onChange={(seen) => form.set({ seen })} />
    </FormDialog>
  );
}

/** Deletes a view, not the records that it shows. */
export function DeleteView({ view, open, onClose }: ConfirmProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => call('inbox_views.delete', { id: view.id }),
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
      {t(view.visibility === 'private' ? 'view_delete_own_detail' : 'view_delete_detail')}
    </Confirm>
  );
}
