import type { Field, FieldValue, MacroAction } from '@foyer/protocol';
import { ACTION_SUBJECT_MAX, EMAIL_MAX, TICKET_TEXT_MAX } from '@foyer/protocol/values/bounds';
import { FIELD_TEXT_MAX } from '@foyer/protocol/values/fields/field-names';
import { useQuery } from '@tanstack/react-query';
import { activeTeams, teamsQuery } from '../../../queries.ts';
import { SelectField, TextArea, TextField } from '../../../ui/forms/Field.tsx';
import { customFieldsQuery, fieldsOf } from '../../fields/fields-query.ts';
import { webhooksQuery } from '../webhooks/webhook-queries.ts';
import { stepWord } from './steps.ts';
import { t } from './t.ts';

interface StepProps<K extends MacroAction['type']> {
  step: Extract<MacroAction, { type: K }>;
  /** The error, as a sentence. */
  fault: string | undefined;
  onChange: (step: MacroAction) => void;
}

const Fault = ({ words }: { words: string | undefined }) =>
  words ? <p className="mt-1 text-danger-text">{words}</p> : null;

/** Sets a custom field of the ticket or chat. */
export function FieldStep({ step, fault, onChange }: StepProps<'set_field'>) {
  const found = useQuery(customFieldsQuery).data?.items;
  const fields = [...fieldsOf(found, 'tickets'), ...fieldsOf(found, 'chats')];
  const field = fields.find(({ key }) => key === step.field);
  return (
    <div className="grid max-w-160 gap-3 sm:grid-cols-2">
      <div>
        <SelectField
          label={t('field')}
          value={step.field}
          onChange={({ target }) => onChange({ ...step, field: target.value, value: null })}
          any={t('choose')}
          options={[
            ...(field || step.field === '' ? [] : [{ value: step.field, label: step.field }]),
            ...fields
              .filter((one, at) => fields.findIndex(({ key }) => key === one.key) === at)
              .map(({ key, name }) => ({ value: key, label: name })),
          ]}
        />
        <Fault words={fault} />
      </div>
      {field ? (
        <ValueField field={field} value={step.value} onChange={(value) => onChange({ ...step, value })} />
      ) : null}
    </div>
  );
}

interface ValueFieldProps {
  field: Field;
  value: FieldValue | null;
  onChange: (value: FieldValue | null) => void;
}

/** The value that a step sets. Without one, it clears the field. */
function ValueField({ field, value, onChange }: ValueFieldProps) {
  const { kind, choices } = field;
  const label = t('field_value');
  if (kind === 'yes_no' || kind === 'choice' || kind === 'choices') {
    const chosen = Array.isArray(value) ? value[0] : value;
    const read = (text: string): FieldValue => {
      if (kind === 'yes_no') return text === 'true';
      return kind === 'choices' ? [text] : text;
    };
    return (
      <SelectField
        label={label}
        value={String(chosen ?? '')}
        onChange={({ target }) => onChange(target.value === '' ? null : read(target.value))}
        any={t('field_clear')}
        options={
          kind === 'yes_no'
            ? [
                { value: 'true', label: t('yes') },
                { value: 'false', label: t('no') },
              ]
            : choices.map((choice) => ({ value: choice, label: choice }))
        }
      />
    );
  }
  const type = kind === 'number' || kind === 'date' ? kind : kind === 'link' ? 'url' : 'text';
  return (
    <TextField
      label={label}
      hint={t('field_clear_hint')}
      type={type}
      step="any"
      maxLength={FIELD_TEXT_MAX}
      value={String(value ?? '')}
      onChange={({ target }) =>
        onChange(target.value === '' ? null : kind === 'number' ? Number(target.value) : target.value)
      }
    />
  );
}

/** Sends an email to a team or an address. */
export function EmailStep({ step, fault, onChange }: StepProps<'send_email'>) {
  const teams = activeTeams(useQuery(teamsQuery).data);
  const { team_id, address, ...texts } = step;
  return (
    <div className="grid max-w-160 gap-3">
      <SelectField
        label={t('email_to')}
        value={team_id ?? ''}
        onChange={({ target }) =>
          onChange(
            target.value === '' ? { ...texts, address: '' } : { ...texts, team_id: Number(target.value) },
          )
        }
        any={t('email_to_address')}
        options={[
          ...(team_id === undefined || teams.some(({ id }) => id === team_id)
            ? []
            : [{ value: team_id, label: t('team_gone') }]),
          ...teams.map(({ id, name }) => ({ value: id, label: t('email_to_team', { name }) })),
        ]}
      />
      {team_id === undefined ? (
        <TextField
          label={t('email_address')}
          type="email"
          maxLength={EMAIL_MAX}
          value={address ?? ''}
          onChange={({ target }) => onChange({ ...texts, address: target.value })}
        />
      ) : null}
      <TextField
        label={t('email_subject')}
        maxLength={ACTION_SUBJECT_MAX}
        value={step.subject}
        onChange={({ target }) => onChange({ ...step, subject: target.value })}
      />
      <TextArea
        label={t('email_text')}
        fault={fault}
        rows={5}
        maxLength={TICKET_TEXT_MAX}
        value={step.body}
        onChange={({ target }) => onChange({ ...step, body: target.value })}
      />
    </div>
  );
}

/** Calls a webhook of the site. */
export function WebhookStep({ step, fault, onChange }: StepProps<'call_webhook'>) {
  const webhooks = useQuery(webhooksQuery).data?.items;
  const isGone =
    webhooks !== undefined && step.webhook_id > 0 && !webhooks.some(({ id }) => id === step.webhook_id);
  return (
    <>
      <SelectField
        bare
        label={stepWord(step.type)}
        frame="max-w-120"
        value={step.webhook_id > 0 ? step.webhook_id : ''}
        onChange={({ target }) => onChange({ ...step, webhook_id: Number(target.value) })}
        any={t('choose')}
        options={[
          ...(isGone ? [{ value: step.webhook_id, label: t('webhook_gone') }] : []),
          ...(webhooks ?? []).map(({ id, url, description }) => ({ value: id, label: description || url })),
        ]}
      />
      <Fault words={fault} />
    </>
  );
}
