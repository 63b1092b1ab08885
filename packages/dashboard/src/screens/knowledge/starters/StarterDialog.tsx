import { STARTER_LABEL_MAX, STARTER_PROMPT_MAX } from '@foyer/protocol/values/bounds';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api.ts';
import { FormDialog } from '../../../forms/FormDialog.tsx';
import { type Form, useForm } from '../../../forms/use-form.ts';
import { TextArea, TextField } from '../../../ui/forms/Field.tsx';
import { startersQuery } from '../knowledge-queries.ts';
import { t } from '../t.ts';

/** The fields of a starter; a new one has no id yet. */
export interface StarterValues {
  id: number | null;
  label: string;
  prompt: string;
}

export const NEW_STARTER: StarterValues = { id: null, label: '', prompt: '' };

/** The form of a starter. It lives outside its dialog, because the preview shows its values. */
export function useStarterForm(position: number, onSaved: () => void): Form<StarterValues> {
  const client = useQueryClient();
  return useForm({
    initial: NEW_STARTER,
    save: ({ id, label, prompt }) =>
      id === null
        ? call('conversation_starters.create', { label, prompt, position })
        : call('conversation_starters.update', { id, label, prompt }),
    onSaved: async () => {
      await client.invalidateQueries({ queryKey: startersQuery.queryKey });
      onSaved();
    },
  });
}

interface StarterDialogProps {
  form: Form<StarterValues>;
  onClose: () => void;
}

/** Creates or changes a starter. */
export function StarterDialog({ form, onClose }: StarterDialogProps) {
  return (
    <FormDialog
      title={t(form.values.id === null ? 'starter_new' : 'starter_edit')}
      form={form}
      onClose={onClose}
    >
      <TextField
        label={t('starter_label')}
        required
        autoFocus
        maxLength={STARTER_LABEL_MAX}
        placeholder={t('starter_label_example')}
        {...form.text('label')}
      />
      <TextArea
        label={t('starter_prompt')}
        required
        maxLength={STARTER_PROMPT_MAX}
        placeholder={t('starter_prompt_example')}
        {...form.text('prompt')}
      />
    </FormDialog>
  );
}
