import { CONDITION_WORDS_MAX, INBOX_PAGE_MAX } from '@foyer/protocol/values/bounds';
import { OFFICE_STATES } from '@foyer/protocol/values/wire-names';
import { oneOf } from '../../address-search.ts';
import { SelectField, TextField } from '../../ui/forms/Field.tsx';
import type { FieldOptions } from '../inbox/filters/FilterFields.tsx';
import { t as tFilter } from '../inbox/filters/t.ts';
import { FILTERS, type FilterName } from '../inbox/list/inbox-search.ts';
import { type Building, ConditionRow, faultIn } from '../visitors/segments/RuleParts.tsx';
import type { FieldDraft, OfficeDraft, WordsDraft } from '../visitors/segments/rule-draft.ts';
import { t } from './t.ts';

interface FieldRowProps {
  part: FieldDraft;
  options: FieldOptions;
  building: Building;
}

/** A condition on fields of a chat or ticket. */
export function FieldRow({ part, options, building }: FieldRowProps) {
  const error = faultIn(building, part.id, 'value');
  return (
    <ConditionRow id={part.id} building={building}>
      {[...part.fields.entries()].map(([at, field]) => (
        <OneField
          key={at}
          field={field}
          options={options}
          error={field.value.trim() === '' ? error : undefined}
          onChange={(changed) =>
            building.change(part.id, () => ({ ...part, fields: part.fields.with(at, changed) }))
          }
        />
      ))}
    </ConditionRow>
  );
}

interface OneFieldProps {
  field: FieldDraft['fields'][number];
  options: FieldOptions;
  error: string | undefined;
  onChange: (field: FieldDraft['fields'][number]) => void;
}

function OneField({ field: { name, value }, options, error, onChange }: OneFieldProps) {
  return (
    <div className="flex w-full min-w-0 flex-wrap gap-2">
      <SelectField
        bare
        frame="min-w-40 flex-1"
        label={t('field')}
        value={name}
        onChange={({ target }) => onChange({ name: oneOf(target.value, FILTERS) ?? name, value: '' })}
        options={FILTERS.map((one) => ({ value: one, label: tFilter(`field_${one}`) }))}
      />
      {name === 'page' ? (
        <TextField
          bare
          frame="min-w-40 flex-[2]"
          label={t('field_value')}
          placeholder="/checkout"
          maxLength={INBOX_PAGE_MAX}
          error={error}
          value={value}
          onChange={({ target }) => onChange({ name, value: target.value })}
        />
      ) : (
        <SelectField
          bare
          frame="min-w-40 flex-[2]"
          label={t('field_value')}
          any={t('choose')}
          error={error}
          value={value}
          onChange={({ target }) => onChange({ name, value: target.value })}
          options={withGone(name, value, options)}
        />
      )}
    </div>
  );
}

/** The choices of a field, with the chosen one if it no longer exists. */
function withGone(name: Exclude<FilterName, 'page'>, value: string, options: FieldOptions) {
  const choices = options[name];
  const isThere = value === '' || choices.some((one) => String(one.value) === value);
  return isThere
    ? choices
    : [...choices, { value, label: t('gone', { value: name === 'tag' ? value : `#${value}` }) }];
}

interface WordsRowProps {
  part: WordsDraft;
  building: Building;
}

/** A condition on the words of a chat or ticket. */
export const WordsRow = ({ part, building }: WordsRowProps) => (
  <ConditionRow id={part.id} building={building}>
    <TextField
      frame="min-w-40 flex-1"
      label={t('words')}
      maxLength={CONDITION_WORDS_MAX}
      error={faultIn(building, part.id, 'value')}
      value={part.text}
      onChange={({ target }) => building.change(part.id, () => ({ ...part, text: target.value }))}
    />
  </ConditionRow>
);

interface OfficeRowProps {
  part: OfficeDraft;
  building: Building;
}

/** A condition on the office hours of a chat or ticket. */
export const OfficeRow = ({ part, building }: OfficeRowProps) => (
  <ConditionRow id={part.id} building={building}>
    <SelectField
      frame="min-w-40 flex-1"
      label={t('office')}
      value={part.state}
      onChange={({ target }) =>
        building.change(part.id, () => ({ ...part, state: oneOf(target.value, OFFICE_STATES) ?? part.state }))
      }
      options={OFFICE_STATES.map((state) => ({ value: state, label: t(`office_${state}`) }))}
    />
  </ConditionRow>
);
