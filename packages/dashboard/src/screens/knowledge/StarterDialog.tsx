import { STARTER_LABEL_MAX, STARTER_PROMPT_MAX } from '@foyer/protocol/bounds';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, call } from '../../api.ts';
import { startersQuery } from '../../queries.ts';
import { TextArea, TextField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { t } from './t.ts';

/** What is written for a starter; one that is new has no id yet. */
export interface StarterForm {
  id: number | null;
  label: string;
  prompt: string;
}

interface StarterDialogProps {
  form: StarterForm;
  /** Where a new one goes. */
  position: number;
  onChange: (form: StarterForm) => void;
  onClose: () => void;
}

export function StarterDialog({ form, position, onChange, onClose }: StarterDialogProps) {
  const { id, label, prompt } = form;
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: () =>
      id === null
        ? call('conversation_starters.create', { label, prompt, position })
        : call('conversation_starters.update', { id, label, prompt }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: startersQuery.queryKey });
      onClose();
    },
  });
  const fields = save.error instanceof ApiError ? save.error : undefined;
  return (
    <FormDialog
      title={t(id === null ? 'starter_new' : 'starter_edit')}
      save={save}
      fields={['label', 'prompt']}
      onClose={onClose}
    >
      <TextField
        label={t('starter_label')}
        required
        autoFocus
        maxLength={STARTER_LABEL_MAX}
        placeholder={t('starter_label_example')}
        value={label}
        error={fields?.issue('label')}
        onChange={(event) => onChange({ ...form, label: event.target.value })}
      />
      <TextArea
        label={t('starter_prompt')}
        required
        maxLength={STARTER_PROMPT_MAX}
        placeholder={t('starter_prompt_example')}
        value={prompt}
        error={fields?.issue('prompt')}
        onChange={(event) => onChange({ ...form, prompt: event.target.value })}
      />
    </FormDialog>
  );
}
