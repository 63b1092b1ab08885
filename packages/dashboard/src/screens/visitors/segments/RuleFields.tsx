import { ATTRIBUTE_NAME_MAX, ATTRIBUTE_SOUGHT_MAX, SEGMENT_DEPTH } from '@foyer/protocol/values/bounds';
import { Clock, FolderPlus, ListPlus, Plus, TextSearch, UserRound, Zap } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { SelectField, TextField } from '../../../ui/forms/Field.tsx';
import { Segments } from '../../../ui/forms/Segments.tsx';
import { FieldRow, OfficeRow, WordsRow } from '../../conditions/RecordFields.tsx';
import { t as tRecord } from '../../conditions/t.ts';
import { t } from '../t.ts';
import { type Building, ConditionRow, faultIn, Remove } from './RuleParts.tsx';
import {
  type AttributeDraft,
  type EventDraft,
  type GroupDraft,
  kindKnown,
  kindOfField,
  needsValue,
  newAttribute,
  newCustomField,
  newEvent,
  newField,
  newGroup,
  newOffice,
  newWords,
  OWN_TEXTS,
  OWN_TIMES,
  opsFor,
  type PartDraft,
  renamed,
  type ValueKind,
} from './rule-draft.ts';
import { attributeName } from './rule-words.ts';

interface GroupProps {
  group: GroupDraft;
  depth: number;
  building: Building;
}

/** Conditions of which all or any must match; groups can be nested three deep. */
export function GroupFields({ group, depth, building }: GroupProps) {
  const fault = faultIn(building, group.id, 'parts');
  return (
    <fieldset
      aria-label={t(depth === 1 ? 'rule' : 'rule_group')}
      className={depth === 1 ? '' : 'rounded-lg border bg-sunken p-3'}
    >
      {group.parts.length === 0 && depth === 1 ? null : (
        <GroupHead group={group} depth={depth} building={building} />
      )}
      <ul className="space-y-3">
        {group.parts.map((part) => (
          <li key={part.id}>
            <PartFields part={part} depth={depth} building={building} />
          </li>
        ))}
      </ul>
      {fault ? <p className="mt-2 text-danger-text">{fault}</p> : null}
      <AddParts group={group} depth={depth} building={building} />
    </fieldset>
  );
}

/** Which of its conditions must match. */
function GroupHead({ group, depth, building: { change, records } }: GroupProps) {
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <Segments
        label={t('rule_match')}
        value={group.match}
        options={[
          { value: 'all', label: t('match_all') },
          { value: 'any', label: t('match_any') },
          ...(records ? [{ value: 'none' as const, label: tRecord('match_none') }] : []),
        ]}
        onChange={(match) => change(group.id, () => ({ ...group, match }))}
      />
      <span className="min-w-0 flex-1 text-soft">{t('match_hold')}</span>
      {depth > 1 ? (
        <Remove label={t('group_remove')} onClick={() => change(group.id, () => undefined)} />
      ) : null}
    </div>
  );
}

interface PartProps {
  part: PartDraft;
  /** Of the group that it is in. */
  depth: number;
  building: Building;
}

function PartFields({ part, depth, building }: PartProps) {
  switch (part.type) {
    case 'group':
      return <GroupFields group={part} depth={depth + 1} building={building} />;
    case 'event':
      return <EventFields part={part} building={building} />;
    case 'attribute':
      return <AttributeFields part={part} building={building} />;
    case 'words':
      return <WordsRow part={part} building={building} />;
    case 'office':
      return <OfficeRow part={part} building={building} />;
    case 'field':
      return building.records ? (
        <FieldRow part={part} options={building.records} building={building} />
      ) : null;
  }
}

/** Adds a condition or, up to the third level, a group. */
function AddParts({ group, depth, building: { records, custom, isFull, change } }: GroupProps) {
  const add = (part: PartDraft): void =>
    change(group.id, () => ({ ...group, parts: [...group.parts, part] }));
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      {records ? (
        <>
          <Add icon={<Plus aria-hidden />} disabled={isFull} onClick={() => add(newField())}>
            {tRecord('add_field')}
          </Add>
          <Add icon={<TextSearch aria-hidden />} disabled={isFull} onClick={() => add(newWords())}>
            {tRecord('add_words')}
          </Add>
          <Add icon={<Clock aria-hidden />} disabled={isFull} onClick={() => add(newOffice())}>
            {tRecord('add_office')}
          </Add>
          {custom && custom.length > 0 ? (
            <Add icon={<ListPlus aria-hidden />} disabled={isFull} onClick={() => add(newCustomField())}>
              {tRecord('custom')}
            </Add>
          ) : null}
        </>
      ) : null}
      <Add
        icon={records ? <UserRound aria-hidden /> : <Plus aria-hidden />}
        disabled={isFull}
        onClick={() => add(newAttribute())}
      >
        {records ? tRecord('add_attribute') : t('add_attribute')}
      </Add>
      <Add icon={<Zap aria-hidden />} disabled={isFull} onClick={() => add(newEvent())}>
        {records ? tRecord('add_event') : t('add_event')}
      </Add>
      {depth < SEGMENT_DEPTH ? (
        <Add
          icon={<FolderPlus aria-hidden />}
          disabled={isFull}
          onClick={() =>
            add(newGroup(group.match === 'all' ? 'any' : 'all', [records ? newField() : newAttribute()]))
          }
        >
          {t('add_group')}
        </Add>
      ) : null}
    </div>
  );
}

interface AddProps {
  icon: ReactNode;
  disabled: boolean;
  onClick: () => void;
  children: string;
}

const Add = ({ icon, disabled, onClick, children }: AddProps) => (
  <Button
    small
    look="quiet"
    className="[&_svg]:size-4"
    icon={icon}
    disabled={disabled}
    title={disabled ? t('rule_full') : undefined}
    onClick={onClick}
  >
    {children}
  </Button>
);

interface NameFieldProps {
  label: string;
  part: AttributeDraft | EventDraft;
  building: Building;
  /** The site's names, to choose from. */
  names: readonly string[];
  /** The displayed name, if it differs. */
  wordOf?: (name: string) => string | undefined;
  onChange: (name: string) => void;
}

function NameField({ label, part, building, names, wordOf, onChange }: NameFieldProps) {
  const id = useId();
  return (
    <>
      <TextField
        bare
        frame="min-w-40 flex-[2]"
        label={label}
        placeholder={label}
        list={id}
        maxLength={ATTRIBUTE_NAME_MAX}
        error={faultIn(building, part.id, 'name')}
        value={part.name}
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id={id}>
        {names.map((name) => (
          <option key={name} value={name} label={wordOf?.(name)} />
        ))}
      </datalist>
    </>
  );
}

const KINDS: readonly ValueKind[] = ['text', 'number', 'boolean', 'date'];

function AttributeFields({ part, building }: { part: AttributeDraft; building: Building }) {
  const { fields, change } = building;
  const isCustom = part.of === 'record';
  const set = (next: AttributeDraft): void => change(part.id, () => next);
  const known = fields?.attributes.find(({ name }) => name === part.name);
  const custom = isCustom ? building.custom?.find(({ key }) => key === part.name) : undefined;
  const ops = opsFor(isCustom ? '' : part.name, part.kind);
  const names = [...OWN_TEXTS, ...OWN_TIMES, ...(fields?.attributes.map(({ name }) => name) ?? [])];
  const isTyped = !isCustom && part.name !== '' && !names.includes(part.name);
  return (
    <ConditionRow id={part.id} building={building}>
      {isCustom ? (
        <CustomName part={part} building={building} onChange={set} />
      ) : (
        <NameField
          label={t('rule_attribute')}
          part={part}
          building={building}
          names={names}
          wordOf={attributeName}
          onChange={(name) => set(renamed(part, name, kindKnown(name, fields)))}
        />
      )}
      <SelectField
        bare
        frame="min-w-36 flex-[2]"
        label={t('rule_op')}
        value={part.op}
        onChange={({ target }) => {
          const op = ops.find((one) => one === target.value);
          if (op) set({ ...part, op });
        }}
        options={ops.map((op) => ({
          value: op,
          label: part.kind === 'date' && (op === 'gt' || op === 'lt') ? t(`op_date_${op}`) : t(`op_${op}`),
        }))}
      />
      {isTyped && needsValue(part.op) ? (
        <SelectField
          bare
          frame="min-w-28 flex-1"
          label={t('attribute_kind')}
          value={part.kind}
          onChange={({ target }) =>
            set(renamed(part, part.name, KINDS.find((one) => one === target.value) ?? 'text'))
          }
          options={KINDS.map((kind) => ({ value: kind, label: t(`kind_${kind}`) }))}
        />
      ) : null}
      {needsValue(part.op) ? (
        <Value
          part={part}
          values={isCustom ? (custom?.choices ?? []) : (known?.values ?? [])}
          error={faultIn(building, part.id, 'value')}
          onChange={(text) => set({ ...part, text })}
        />
      ) : null}
    </ConditionRow>
  );
}

interface CustomNameProps {
  part: AttributeDraft;
  building: Building;
  onChange: (part: AttributeDraft) => void;
}

/** Which custom field; two of the same key, of chats and of tickets, are one. */
function CustomName({ part, building, onChange }: CustomNameProps) {
  const fields = [...new Map((building.custom ?? []).map((field) => [field.key, field])).values()];
  const isGone = part.name !== '' && !fields.some(({ key }) => key === part.name);
  return (
    <SelectField
      bare
      frame="min-w-40 flex-[2]"
      label={tRecord('custom')}
      any={tRecord('choose')}
      error={faultIn(building, part.id, 'name')}
      value={part.name}
      onChange={({ target }) => {
        const field = fields.find(({ key }) => key === target.value);
        if (field) onChange({ ...renamed(part, '', kindOfField(field)), name: field.key });
      }}
      options={[
        ...(isGone ? [{ value: part.name, label: tRecord('gone', { value: part.name }) }] : []),
        ...fields.map(({ key, name }) => ({ value: key, label: name })),
      ]}
    />
  );
}

interface ValueProps {
  part: AttributeDraft;
  values: readonly string[];
  error: string | undefined;
  onChange: (text: string) => void;
}

function Value({ part, values, error, onChange }: ValueProps) {
  const id = useId();
  const label = t('attribute_value');
  if (part.kind === 'boolean') {
    return (
      <SelectField
        bare
        frame="min-w-28 flex-[2]"
        label={label}
        value={part.text}
        onChange={({ target }) => onChange(target.value)}
        options={[
          { value: 'true', label: t('filter_yes') },
          { value: 'false', label: t('filter_no') },
        ]}
      />
    );
  }
  return (
    <>
      <TextField
        bare
        frame="min-w-32 flex-[2]"
        label={label}
        placeholder={label}
        type={part.kind === 'date' ? 'date' : 'text'}
        inputMode={part.kind === 'number' ? 'decimal' : 'text'}
        list={part.kind === 'date' ? undefined : `${id}-values`}
        maxLength={ATTRIBUTE_SOUGHT_MAX}
        error={error}
        value={part.text}
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id={`${id}-values`}>
        {values.map((value) => (
          <option key={value} value={value} />
        ))}
      </datalist>
    </>
  );
}

function EventFields({ part, building }: { part: EventDraft; building: Building }) {
  const { fields, change } = building;
  const set = (next: Partial<EventDraft>): void => change(part.id, () => ({ ...part, ...next }));
  return (
    <ConditionRow id={part.id} building={building}>
      <NameField
        label={t('rule_event')}
        part={part}
        building={building}
        names={fields?.events ?? []}
        onChange={(name) => set({ name })}
      />
      <SelectField
        bare
        frame="min-w-36 flex-[2]"
        label={t('rule_op')}
        value={part.op}
        onChange={({ target }) => set({ op: target.value === 'lt' ? 'lt' : 'gte' })}
        options={[
          { value: 'gte', label: t('op_gte') },
          { value: 'lt', label: t('op_fewer') },
        ]}
      />
      <TextField
        bare
        frame="min-w-20 flex-1"
        label={t('rule_count')}
        inputMode="numeric"
        error={faultIn(building, part.id, 'count')}
        value={part.count}
        onChange={({ target }) => set({ count: target.value })}
      />
      <TextField
        bare
        frame="min-w-44 flex-[2]"
        label={t('rule_days')}
        placeholder={t('rule_days_ever')}
        inputMode="numeric"
        error={faultIn(building, part.id, 'days')}
        value={part.days}
        onChange={({ target }) => set({ days: target.value })}
      />
    </ConditionRow>
  );
}
