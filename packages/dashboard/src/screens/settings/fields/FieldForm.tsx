import { NAME_MAX } from '@foyer/protocol/values/bounds';
import { FIELD_KEY_MAX, FIELD_KINDS, FIELD_OWNERS } from '@foyer/protocol/values/fields/field-names';
import { ApiError } from '../../../api.ts';
import { FormError } from '../../../forms/FormError.tsx';
import { FormFoot } from '../../../forms/FormFoot.tsx';
import type { Form } from '../../../forms/use-form.ts';
import { SelectField, TextArea, TextField } from '../../../ui/forms/Field.tsx';
import { Toggle } from '../../../ui/forms/Toggle.tsx';
import { type FieldFormValues, hasChoices } from './field-form-values.ts';
import { t } from './t.ts';

interface FieldFormProps {
  form: Form<FieldFormValues>;
  isNew?: boolean;
}

/** Name, kind and choices of a field, and who needs and sees it. What it is for and its kind are final. */
export function FieldForm({ form, isNew = false }: FieldFormProps) {
  const { applies_to, kind, name } = form.values;
  return (
    <form onSubmit={form.submit} className="space-y-4">
      <TextField
        label={t('name')}
        required
        autoFocus={isNew}
        maxLength={NAME_MAX}
        frame="max-w-120"
        {...form.text('name')}
      />
      <SelectField
        label={t('applies_to')}
        frame="max-w-80"
        disabled={!isNew}
        options={FIELD_OWNERS.map((value) => ({ value, label: t(`of_${value}`) }))}
        {...form.text('applies_to')}
      />
      <SelectField
        label={t('kind')}
        hint={isNew ? t('kind_hint') : undefined}
        frame="max-w-80"
        disabled={!isNew}
        options={FIELD_KINDS.map((value) => ({ value, label: t(`kind_${value}`) }))}
        {...form.text('kind')}
      />
      {hasChoices(kind) ? <ChoicesField form={form} /> : null}
      <TextField
        label={t('key')}
        hint={t(applies_to === 'people' ? 'key_hint_people' : 'key_hint')}
        maxLength={FIELD_KEY_MAX}
        disabled={!isNew}
        autoComplete="off"
        spellCheck={false}
        frame="max-w-80"
        className="font-mono text-[13px]"
        {...form.text('key')}
      />
      <Rules form={form} />
      <FormError form={form} title={t('not_saved')} className="mt-6" />
      <FormFoot
        form={form}
        isNew={isNew}
        disabled={name.trim() === ''}
        className="pt-4"
        discard={t('discard')}
      >
        {t(isNew ? 'create' : 'save')}
      </FormFoot>
    </form>
  );
}

/** One choice per line; the server's error names a line by its number, which an edit changes. */
function ChoicesField({ form }: { form: Form<FieldFormValues> }) {
  const { value, error, onChange } = form.text('choices');
  return (
    <TextArea
      label={t('choices')}
      hint={t('choices_hint')}
      rows={6}
      frame="max-w-80"
      value={value}
      error={error}
      onChange={(event) => {
        if (form.error instanceof ApiError) form.reset();
        onChange(event);
      }}
    />
  );
}

/** Who needs a value, and who sees it. */
function Rules({ form }: { form: Form<FieldFormValues> }) {
  const { applies_to, required, visible } = form.values;
  return (
    <div className="max-w-120 space-y-4 pt-2">
      {applies_to === 'people' ? null : (
        <Toggle
          label={t(applies_to === 'chats' ? 'required_chats' : 'required_tickets')}
          hint={t(applies_to === 'chats' ? 'required_chats_hint' : 'required_tickets_hint')}
          on={required}
          onChange={(on) => form.set({ required: on })}
        />
      )}
      <Toggle
        label={t(applies_to === 'tickets' ? 'visible' : 'asked')}
        hint={t(applies_to === 'tickets' ? 'visible_hint' : 'asked_hint')}
        on={visible}
        onChange={(on) => form.set({ visible: on })}
      />
    </div>
  );
}
