import type { ActionStepOf } from '@foyer/protocol';
import {
  ACTION_HEADER_VALUE_MAX,
  ACTION_HEADERS_MAX,
  ACTION_TEXT_MAX,
  ACTION_TIMEOUT_MAX_S,
  URL_MAX,
} from '@foyer/protocol/values/bounds';
import { ACTION_METHODS } from '@foyer/protocol/values/wire-names';
import { Plus, X } from 'lucide-react';
import { Button, IconButton } from '../../ui/Button.tsx';
import { SelectField, TextArea, TextField } from '../../ui/forms/Field.tsx';
import { t } from './t.ts';

interface CallFieldsProps {
  step: ActionStepOf<'call'>;
  onChange: (step: ActionStepOf<'call'>) => void;
}

const SECONDS = Array.from({ length: ACTION_TIMEOUT_MAX_S }, (_, at) => at + 1);

/** The request of a step: address, headers and body. */
export function CallFields({ step, onChange }: CallFieldsProps) {
  const set = (change: Partial<ActionStepOf<'call'>>): void => onChange({ ...step, ...change });
  return (
    <div className="space-y-3">
      <div className="grid gap-3 sm:grid-cols-[8rem_minmax(0,1fr)]">
        <SelectField
          label={t('method')}
          value={step.method}
          onChange={({ target }) => {
            const method = ACTION_METHODS.find((one) => one === target.value) ?? 'GET';
            set({ method, ...(method === 'GET' && { body: '' }) });
          }}
          options={ACTION_METHODS.map((value) => ({ value, label: value }))}
        />
        <TextField
          label={t('url')}
          dir="ltr"
          spellCheck={false}
          maxLength={URL_MAX}
          placeholder="https://shop.example/api/orders/{{order}}"
          value={step.url}
          onChange={({ target }) => set({ url: target.value })}
        />
      </div>
      <Headers headers={step.headers} onChange={(headers) => set({ headers })} />
      {step.method === 'GET' ? null : (
        <TextArea
          label={t('body')}
          hint={t('body_hint')}
          dir="ltr"
          spellCheck={false}
          rows={4}
          className="font-mono text-sm"
          maxLength={ACTION_TEXT_MAX * 4}
          placeholder={'{ "order": "{{order}}" }'}
          value={step.body}
          onChange={({ target }) => set({ body: target.value })}
        />
      )}
      <div className="grid gap-3 sm:grid-cols-[minmax(0,1fr)_8rem]">
        <TextField
          label={t('refused_text')}
          hint={t('refused_text_hint')}
          maxLength={ACTION_TEXT_MAX}
          value={step.refused_text}
          onChange={({ target }) => set({ refused_text: target.value })}
        />
        <SelectField
          label={t('timeout')}
          value={step.timeout_s}
          onChange={({ target }) => set({ timeout_s: Number(target.value) })}
          options={SECONDS.map((value) => ({ value, label: t('seconds', { count: value }) }))}
        />
      </div>
    </div>
  );
}

interface HeadersProps {
  headers: ActionStepOf<'call'>['headers'];
  onChange: (headers: ActionStepOf<'call'>['headers']) => void;
}

/** Their values are stored encrypted and never returned: an empty one keeps the stored value. */
function Headers({ headers, onChange }: HeadersProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 font-medium">{t('headers')}</legend>
      <p className="mb-2 text-soft">{t('headers_hint')}</p>
      <ul className="space-y-2">
        {headers.map((header, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: headers have no name before one is entered, and don't move.
          <li key={at} className="flex items-center gap-2">
            <TextField
              bare
              label={t('header_name')}
              placeholder={t('header_name')}
              frame="min-w-0 flex-1"
              spellCheck={false}
              maxLength={60}
              value={header.name}
              onChange={({ target }) => onChange(headers.with(at, { ...header, name: target.value.trim() }))}
            />
            <TextField
              bare
              label={t('header_value')}
              placeholder={t('header_stored')}
              frame="min-w-0 flex-1"
              type="password"
              autoComplete="off"
              maxLength={ACTION_HEADER_VALUE_MAX}
              value={header.value ?? ''}
              onChange={({ target: { value } }) =>
                onChange(headers.with(at, value === '' ? { name: header.name } : { ...header, value }))
              }
            />
            <IconButton
              label={t('header_remove', { name: header.name })}
              onClick={() => onChange(headers.toSpliced(at, 1))}
            >
              <X aria-hidden className="size-4" />
            </IconButton>
          </li>
        ))}
      </ul>
      {headers.length < ACTION_HEADERS_MAX ? (
        <Button
          small
          look="quiet"
          icon={<Plus aria-hidden className="size-4" />}
          onClick={() => onChange([...headers, { name: headers.length === 0 ? 'Authorization' : '' }])}
        >
          {t('header_add')}
        </Button>
      ) : null}
    </fieldset>
  );
}
