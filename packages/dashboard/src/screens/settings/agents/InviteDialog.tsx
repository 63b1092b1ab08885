import type { Invitation, Role } from '@foyer/protocol';
import { EMAIL_MAX } from '@foyer/protocol/values/bounds';
import { UserCog } from 'lucide-react';
import { useRef } from 'react';
import { ApiError, call } from '../../../api.ts';
import { FormDialog } from '../../../forms/FormDialog.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { dateOf } from '../../../times.ts';
import { Button } from '../../../ui/Button.tsx';
import { CopyBox } from '../../../ui/CopyBox.tsx';
import { Dialog } from '../../../ui/dialogs/Dialog.tsx';
import { SelectField, TextField } from '../../../ui/forms/Field.tsx';
import { Callout } from '../../../ui/States.tsx';
import { t } from './t.ts';
import { roleWord, useTeamRefresh } from './team.ts';

/** Invites a colleague, then shows the link, which is emailed too if mail is set up. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const form = useForm({
    initial: { email: '', role: 'agent' as Role },
    save: (values) => call('agents.invite', values),
    onSaved: useTeamRefresh(),
  });
  const { error, saved } = form;
  if (saved) return <LinkDialog invitation={saved.invitation} url={saved.url} onClose={onClose} />;
  const full = error instanceof ApiError && error.code === 'plan_limit' ? error : undefined;
  return (
    <FormDialog
      title={t('invite_title')}
      action={t('invite_action')}
      failure={t('invite_failed')}
      form={full ? { ...form, unshownError: () => null } : form}
      onClose={onClose}
    >
      <TextField
        label={t('email')}
        type="email"
        required
        autoFocus
        maxLength={EMAIL_MAX}
        {...form.text('email')}
      />
      <SelectField
        label={t('role')}
        hint={form.values.role === 'admin' ? t('admin_hint') : t('agent_hint')}
        {...form.text('role')}
        options={[
          { value: 'agent', label: roleWord('agent') },
          { value: 'admin', label: roleWord('admin') },
        ]}
      />
      {full ? (
        <Callout tone="warn" icon={<UserCog aria-hidden />}>
          <p className="font-medium">{t('full')}</p>
          <p>{full.message}</p>
        </Callout>
      ) : null}
    </FormDialog>
  );
}

interface LinkDialogProps {
  invitation: Invitation;
  url: string;
  onClose: () => void;
}

/** The link of an invitation, shown once. */
export function LinkDialog({ invitation, url, onClose }: LinkDialogProps) {
  const copy = useRef<HTMLButtonElement>(null);
  const isMailed = invitation.mail !== 'none';
  return (
    <Dialog
      open
      holds
      onClose={onClose}
      initialFocus={copy}
      title={isMailed ? t('link_mailed_title') : t('link_title')}
      foot={
        <Button look="primary" onClick={onClose}>
          {t('done')}
        </Button>
      }
    >
      <p className="mb-3 text-soft">
        {t.rich(isMailed ? 'link_mailed_hint' : 'link_hint', {
          email: <span className="font-medium text-text">{invitation.email}</span>,
          date: dateOf(invitation.expires_utc),
        })}
      </p>
      <CopyBox text={url} label={t('link_copy')} wrap copyRef={copy} />
    </Dialog>
  );
}
