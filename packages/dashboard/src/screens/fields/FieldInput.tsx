import type { Field, FieldValue } from '@foyer/protocol';
import { FIELD_TEXT_MAX } from '@foyer/protocol/values/fields/field-names';
import { useMutation } from '@tanstack/react-query';
import { ExternalLink, X } from 'lucide-react';
import { useState } from 'react';
import { ApiError } from '../../api.ts';
import { SelectField, TextField } from '../../ui/forms/Field.tsx';
import { toast } from '../../ui/toasts/toast-store.ts';
import { t } from './t.ts';

interface FieldInputProps {
  field: Field;
  value: FieldValue | undefined;
  /** It has no value, and needs one. */
  isMissing: boolean;
  save: (value: FieldValue | null) => Promise<unknown>;
}

interface ControlProps extends Pick<FieldInputProps, 'field' | 'value'> {
  hint: string | undefined;
  error: string | undefined;
  put: (value: FieldValue | null) => void;
}

/** A field by its kind. A wrong value stays in it with the problem, until it is corrected. */
export function FieldInput({ field, value, isMissing, save }: FieldInputProps) {
  const { mutate, error } = useMutation({
    mutationFn: save,
    onError: (failure) => {
      if (issueOf(failure, field.key) === undefined) toast.error(t('not_saved'), failure);
    },
  });
  const props: ControlProps = {
    field,
    value,
    hint: isMissing ? t(field.applies_to === 'chats' ? 'required_chats' : 'required_tickets') : undefined,
    error: issueOf(error, field.key),
    put: mutate,
  };
  return (
    <div className="grid grid-cols-[5.5rem_1fr] items-start">
      <span aria-hidden className="truncate pt-2 text-soft max-md:pt-3" title={field.name}>
        <bdi>{field.name}</bdi>
      </span>
      <Control {...props} />
    </div>
  );
}

function Control(props: ControlProps) {
  switch (props.field.kind) {
    case 'choice':
      return <Choice {...props} />;
    case 'choices':
      return <Choices {...props} />;
    case 'yes_no':
      return <YesNo {...props} />;
    default:
      return <Line key={String(props.value ?? '')} {...props} />;
  }
}

function issueOf(error: Error | null, key: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  return error.issueWithin(`fields.${key}`) ?? error.issueWithin(`attributes.${key}`);
}

const TYPES = { number: 'number', date: 'date', link: 'url', text: 'text' } as const;

/** Sends the value when the input loses the focus. A number that the browser can't parse counts as no value. */
function Line({ field, value, hint, error, put }: ControlProps) {
  const stored = value === undefined ? '' : String(value);
  const [text, setText] = useState(stored);
  const kind =
    field.kind === 'number' || field.kind === 'date' || field.kind === 'link' ? field.kind : 'text';
  const commit = (): void => {
    const typed = text.trim();
    if (typed === stored) return;
    put(typed === '' ? null : kind === 'number' ? Number(typed) : typed);
  };
  return (
    <div className="relative">
      <TextField
        bare
        label={field.name}
        hint={hint}
        error={error}
        type={TYPES[kind]}
        step="any"
        maxLength={FIELD_TEXT_MAX}
        value={text}
        className={kind === 'link' && stored ? 'pe-9' : undefined}
        onChange={({ target }) => setText(target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit();
          if (event.key === 'Escape' && text !== stored) {
            event.stopPropagation();
            setText(stored);
          }
        }}
      />
      {kind === 'link' && /^https?:/.test(stored) ? (
        <a
          href={stored}
          target="_blank"
          rel="noreferrer"
          aria-label={t('open_link', { name: field.name })}
          className="absolute end-2 top-2.5 text-soft hover:text-text max-md:top-3.5"
        >
          <ExternalLink aria-hidden className="size-4" />
        </a>
      ) : null}
    </div>
  );
}

function Choice({ field, value, hint, error, put }: ControlProps) {
  const chosen = typeof value === 'string' ? value : '';
  // A choice that was taken out stays where it was chosen.
  const options = chosen && !field.choices.includes(chosen) ? [chosen, ...field.choices] : field.choices;
  return (
    <SelectField
      bare
      label={field.name}
      hint={hint}
      error={error}
      value={chosen}
      any={t('none')}
      onChange={({ target }) => put(target.value || null)}
      options={options.map((one) => ({ value: one, label: one }))}
    />
  );
}

const YesNo = ({ field, value, hint, error, put }: ControlProps) => (
  <SelectField
    bare
    label={field.name}
    hint={hint}
    error={error}
    value={value === undefined ? '' : String(value)}
    any={t('none')}
    onChange={({ target }) => put(target.value === '' ? null : target.value === 'true')}
    options={[
      { value: 'true', label: t('yes') },
      { value: 'false', label: t('no') },
    ]}
  />
);

function Choices({ field, value, hint, error, put }: ControlProps) {
  const chosen = Array.isArray(value) ? value : [];
  const others = field.choices.filter((one) => !chosen.includes(one));
  return (
    <div className="space-y-1.5">
      <SelectField
        bare
        label={field.name}
        hint={hint}
        error={error}
        value=""
        any={t('add_choice')}
        disabled={others.length === 0}
        onChange={({ target }) => target.value && put([...chosen, target.value])}
        options={others.map((one) => ({ value: one, label: one }))}
      />
      {chosen.length > 0 ? (
        <ul aria-label={field.name} className="flex flex-wrap gap-1.5">
          {chosen.map((one) => (
            <li
              key={one}
              className="inline-flex h-6 max-w-full items-center gap-1 rounded-md bg-pressed ps-2 text-xs"
            >
              <span className="truncate" dir="auto">
                {one}
              </span>
              <button
                type="button"
                aria-label={t('remove_choice', { name: one })}
                className="rounded-md p-1.5 text-soft hover:text-text"
                onClick={() => put(chosen.filter((other) => other !== one))}
              >
                <X aria-hidden className="size-3" />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
