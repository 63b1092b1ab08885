import { NAME_MAX } from '@foyer/protocol/values/bounds';
import { call } from '../../api.ts';
import { FormDialog } from '../../forms/FormDialog.tsx';
import { useForm } from '../../forms/use-form.ts';
import { browserRegion } from '../../language.ts';
import { Confirm } from '../../ui/dialogs/Dialog.tsx';
import { TextField } from '../../ui/forms/Field.tsx';
import { closeAskedSite, type SitePage, useAskedSite, useSwitchSite } from './switch-site.ts';
import { t } from './t.ts';

/** Dialogs about sites, over the desk. */
export function SiteLayer() {
  const asked = useAskedSite();
  if (asked === null) return null;
  return asked === 'new' ? <NewSite /> : <FilesQuestion page={asked} />;
}

function NewSite() {
  const switchTo = useSwitchSite();
  const form = useForm({
    initial: { name: '' },
    save: ({ name }) => call('sites.create', { name, ...browserRegion() }),
    onSaved: ({ id }) => switchTo({ id, path: '/app/first-steps' }),
  });
  return (
    <FormDialog
      title={t('new_site')}
      onClose={closeAskedSite}
      form={form}
      action={t('create')}
      failure={t('not_created')}
    >
      <p className="text-soft">{t('new_hint')}</p>
      <TextField
        label={t('name')}
        hint={t('name_hint')}
        required
        autoFocus
        maxLength={NAME_MAX}
        {...form.text('name')}
      />
    </FormDialog>
  );
}

function FilesQuestion({ page }: { page: SitePage }) {
  const switchTo = useSwitchSite();
  return (
    <Confirm
      open
      onClose={closeAskedSite}
      title={t('files_question')}
      action={t('switch')}
      onConfirm={() => switchTo(page, true)}
    >
      {t('files_hint')}
    </Confirm>
  );
}
