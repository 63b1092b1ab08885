import type { PreChatField } from '@foyer/protocol';
import { CONSENT_WORDING_MAX, PRE_CHAT_FIELDS_MAX, PRE_CHAT_LABEL_MAX } from '@foyer/protocol/values/bounds';
import { preChatKey } from '@foyer/protocol/values/wire-names';
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { Button } from '../../../ui/Button.tsx';
import { CheckField, SelectField, TextArea, TextField } from '../../../ui/forms/Field.tsx';
import { phrasesOf } from '../lines.ts';
import { type AskableField, askedKey, useAskableFields } from './asked-fields.ts';
import { t } from './t.ts';

interface PreChatEditorProps {
  fields: PreChatField[];
  /** The server's error for a part of a field: `0.label`. */
  issueOf: (path: string) => string | undefined;
  onChange: (fields: PreChatField[]) => void;
}

/** An unused name for an attribute. */
const freeAttribute = (fields: PreChatField[]): string => {
  const taken = new Set(fields.map(preChatKey));
  for (let number = 1; ; number++) if (!taken.has(`question_${number}`)) return `question_${number}`;
};

const newField = (kind: Exclude<PreChatField['kind'], 'field'>, fields: PreChatField[]): PreChatField => {
  if (kind === 'name' || kind === 'email') return { kind, required: false };
  if (kind === 'consent') return { kind, label: '', required: true };
  const asked = { attribute: freeAttribute(fields), label: '', required: false };
  return kind === 'text' ? { kind, ...asked } : { kind, ...asked, options: [] };
};

/** A field is identified by its position, because its attribute changes while it is typed. */
const placed = (fields: PreChatField[]) => fields.map((field, at) => ({ field, at, place: `place ${at}` }));

/** The questions in order. */
export function PreChatEditor({ fields, issueOf, onChange }: PreChatEditorProps) {
  const kinds = (['name', 'email', 'text', 'choice', 'consent'] as const).filter(
    (kind) => kind === 'text' || kind === 'choice' || !fields.some((field) => field.kind === kind),
  );
  const askable = useAskableFields();
  const taken = new Set(fields.map(preChatKey));
  const free = askable.find((field) => !taken.has(askedKey(field)));
  const swap = (at: number, other: number): void => {
    const [one, two] = [fields[at], fields[other]];
    if (one && two) onChange(fields.with(at, two).with(other, one));
  };
  return (
    <div className="space-y-3">
      {fields.length === 0 ? <p className="text-soft">{t('nothing_asked')}</p> : null}
      <ol className="space-y-3">
        {placed(fields).map(({ field, at, place }) => (
          <FieldRow
            key={place}
            field={field}
            isFirst={at === 0}
            isLast={at === fields.length - 1}
            choices={askable.filter(
              (one) => askedKey(one) === preChatKey(field) || !taken.has(askedKey(one)),
            )}
            issueOf={(name) => issueOf(`${at}.${name}`)}
            onMove={(by) => swap(at, at + by)}
            onRemove={() => onChange(fields.toSpliced(at, 1))}
            onChange={(next) => onChange(fields.with(at, next))}
          />
        ))}
      </ol>
      {fields.length < PRE_CHAT_FIELDS_MAX ? (
        <div className="flex flex-wrap gap-2">
          {kinds.map((kind) => (
            <Button key={kind} onClick={() => onChange([...fields, newField(kind, fields)])}>
              <Plus aria-hidden className="size-4" />
              {t(`kind_${kind}`)}
            </Button>
          ))}
          {free ? (
            <Button
              onClick={() =>
                onChange([...fields, { kind: 'field', of: free.applies_to, key: free.key, required: false }])
              }
            >
              <Plus aria-hidden className="size-4" />
              {t('kind_field')}
            </Button>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}

interface QuestionProps {
  field: PreChatField;
  /** The custom fields that it can ask for. */
  choices: readonly AskableField[];
  issueOf: (name: string) => string | undefined;
  onChange: (field: PreChatField) => void;
}

interface FieldRowProps extends QuestionProps {
  isFirst: boolean;
  isLast: boolean;
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
}

function FieldRow({ isFirst, isLast, onMove, onRemove, ...question }: FieldRowProps) {
  const { field, onChange } = question;
  const kind = t(`kind_${field.kind}`);
  return (
    <li className="rounded-lg border p-3">
      <div className="flex items-center gap-1">
        <p className="min-w-0 flex-1 font-medium">{kind}</p>
        <Button look="quiet" aria-label={t('move_up')} disabled={isFirst} onClick={() => onMove(-1)}>
          <ArrowUp aria-hidden className="size-4" />
        </Button>
        <Button look="quiet" aria-label={t('move_down')} disabled={isLast} onClick={() => onMove(1)}>
          <ArrowDown aria-hidden className="size-4" />
        </Button>
        <Button look="quiet" aria-label={t('remove', { name: kind })} onClick={onRemove}>
          <Trash2 aria-hidden className="size-4" />
        </Button>
      </div>
      <Question {...question} />
      <CheckField
        className="mt-3"
        label={t('must_answer')}
        checked={field.required}
        onChange={(event) => onChange({ ...field, required: event.target.checked })}
      />
    </li>
  );
}

function Question({ field, choices, issueOf, onChange }: QuestionProps) {
  if (field.kind === 'name' || field.kind === 'email')
    return <p className="text-soft">{t('asked_in_language')}</p>;
  if (field.kind === 'field')
    return <FieldQuestion field={field} choices={choices} error={issueOf('key')} onChange={onChange} />;
  if (field.kind === 'consent')
    return (
      <TextArea
        label={t('consent_wording')}
        hint={t('consent_hint')}
        required
        maxLength={CONSENT_WORDING_MAX}
        frame="mt-2"
        value={field.label}
        error={issueOf('label')}
        onChange={(event) => onChange({ ...field, label: event.target.value })}
      />
    );
  return (
    <div className="mt-2 grid gap-3 sm:grid-cols-2">
      <TextField
        label={t('question')}
        required
        maxLength={PRE_CHAT_LABEL_MAX}
        value={field.label}
        error={issueOf('label')}
        onChange={(event) => onChange({ ...field, label: event.target.value })}
      />
      <TextField
        label={t('attribute')}
        required
        maxLength={60}
        pattern="[A-Za-z_][A-Za-z0-9_]*"
        title={t('attribute_form')}
        className="font-mono"
        value={field.attribute}
        error={issueOf('attribute')}
        onChange={(event) => onChange({ ...field, attribute: event.target.value })}
      />
      {field.kind === 'choice' ? (
        <TextArea
          label={t('choices')}
          hint={t('choices_hint')}
          required
          frame="sm:col-span-2"
          value={field.options.join('\n')}
          error={issueOf('options')}
          onChange={(event) => onChange({ ...field, options: event.target.value.split('\n') })}
          onBlur={() => onChange({ ...field, options: phrasesOf(field.options.join('\n')) })}
        />
      ) : null}
    </div>
  );
}

interface FieldQuestionProps {
  field: Extract<PreChatField, { kind: 'field' }>;
  choices: readonly AskableField[];
  error: string | undefined;
  onChange: (field: PreChatField) => void;
}

/** Which custom field is asked for. */
function FieldQuestion({ field, choices, error, onChange }: FieldQuestionProps) {
  const value = preChatKey(field);
  const chosen = choices.find((one) => askedKey(one) === value);
  const options = choices.map((one) => ({ value: askedKey(one), label: one.name }));
  return (
    <SelectField
      label={t('field')}
      hint={t(field.of === 'chats' ? 'field_of_chats' : 'field_of_people')}
      frame="mt-2 max-w-80"
      error={chosen ? error : t('field_gone')}
      value={value}
      options={chosen ? options : [{ value, label: field.key }, ...options]}
      onChange={({ target }) => {
        const next = choices.find((one) => askedKey(one) === target.value);
        if (next) onChange({ ...field, of: next.applies_to, key: next.key });
      }}
    />
  );
}
