import type { InboxView } from '@foyer/protocol';
import { NAME_MAX } from '@foyer/protocol/values/bounds';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../../api.ts';
import { useMay } from '../../../desk/DeskContext.tsx';
import { FormDialog } from '../../../forms/FormDialog.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { viewsQuery } from '../../../queries.ts';
import { Confirm } from '../../../ui/dialogs/Dialog.tsx';
import { TextField } from '../../../ui/forms/Field.tsx';
import { Segments } from '../../../ui/forms/Segments.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
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
  const mayShare = useMay('shared');
  const form = useForm({
    initial: { name, isPrivate: true },
    save: ({ isPrivate, ...values }) =>
      call('inbox_views.create', { name: values.name, private: isPrivate, ...saving }),
    onSaved: async ({ id }) => {
      await client.invalidateQueries({ queryKey: viewsQuery.queryKey });
      onClose();
      void navigate({ to: '/inbox', search: { view: id } });
    },
  });
  const { isPrivate } = form.values;
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
      <div>
        <p aria-hidden className="mb-1.5 font-medium">
          {t('view_seen_by')}
        </p>
        <Segments
          label={t('view_seen_by')}
          value={isPrivate ? 'me' : 'all'}
          options={[
            { value: 'me', label: t('view_only_me') },
            ...(mayShare ? [{ value: 'all' as const, label: t('view_everyone') }] : []),
          ]}
          onChange={(value) => form.set({ isPrivate: value === 'me' })}
        />
        <p className="mt-1.5 text-soft">{t(isPrivate ? 'view_only_me_hint' : 'view_everyone_hint')}</p>
        {'tickets' in saving ? <p className="mt-1.5 text-soft">{t('view_tickets_hint')}</p> : null}
      </div>
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
        hint={view.private ? undefined : t('view_name_hint')}
        {...form.text('name')}
      />
    </FormDialog>
  );
}

type ConfirmProps = ViewDialogProps & { open: boolean };

/** Shares a private view with the team. */
export function ShareView({ view, open, onClose }: ConfirmProps) {
  const client = useQueryClient();
  const share = useMutation({
    mutationFn: () => call('inbox_views.update', { id: view.id, shared: true }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: viewsQuery.queryKey });
      onClose();
      toast.success(t('view_shared', { name: view.name }));
    },
  });
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={t('view_share_question', { name: view.name })}
      action={t('view_share_action')}
      danger={false}
      busy={share.isPending}
      error={share.error}
      onConfirm={() => share.mutate()}
    >
      {t('view_share_detail')}
    </Confirm>
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
      {t(view.private ? 'view_delete_own_detail' : 'view_delete_detail')}
    </Confirm>
  );
}
