import type { VisitorFields } from '@foyer/protocol';
import { ATTRIBUTE_NAME_MAX, ATTRIBUTE_SOUGHT_MAX, SEGMENT_DEPTH } from '@foyer/protocol/values/bounds';
import { FolderPlus, Plus, X, Zap } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { SelectField, TextField } from '../../../ui/forms/Field.tsx';
import { Segments } from '../../../ui/forms/Segments.tsx';
import { t } from '../t.ts';
import {
  type AttributeDraft,
  type DraftFault,
  type EventDraft,
  type GroupDraft,
  kindKnown,
  needsValue,
  newAttribute,
  newEvent,
  newGroup,
  OWN_TEXTS,
  OWN_TIMES,
  opsFor,
  type PartDraft,
  renamed,
  type ValueKind,
} from './rule-draft.ts';
import { attributeName } from './rule-words.ts';

interface Building {
  fields: VisitorFields | undefined;
  /** Shown after the first attempt to save. */
  faults: readonly DraftFault[];
  /** The maximum number of conditions is reached. */
  isFull: boolean;
  change: (id: number, change: (part: PartDraft) => PartDraft | undefined) => void;
}

const faultIn = ({ faults }: Building, id: number, field: DraftFault['field']): string | undefined => {
  const found = faults.find((one) => one.id === id && one.field === field);
  return found && t(`fault_${found.fault}`);
};

interface GroupProps {
  group: GroupDraft;
  depth: number;
  building: Building;
}

/** Conditions of which all or any must match; groups can be nested three deep. */
export function GroupFields({ group, depth, building }: GroupProps) {
  const { change, isFull } = building;
  const set = (next: Partial<GroupDraft>): void => change(group.id, () => ({ ...group, ...next }));
  const add = (part: PartDraft): void => set({ parts: [...group.parts, part] });
  const fault = faultIn(building, group.id, 'parts');
  return (
    <fieldset
      aria-label={t(depth === 1 ? 'rule' : 'rule_group')}
      className={depth === 1 ? '' : 'rounded-lg border bg-sunken p-3'}
    >
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <Segments
          label={t('rule_match')}
          value={group.match}
          options={[
            { value: 'all', label: t('match_all') },
            { value: 'any', label: t('match_any') },
          ]}
          onChange={(match) => set({ match })}
        />
        <span className="min-w-0 flex-1 text-soft">{t('match_hold')}</span>
        {depth > 1 ? (
          <Remove label={t('group_remove')} onClick={() => change(group.id, () => undefined)} />
        ) : null}
      </div>
      <ul className="space-y-3">
        {group.parts.map((part) => (
          <li key={part.id}>
            {part.type === 'group' ? (
              <GroupFields group={part} depth={depth + 1} building={building} />
            ) : part.type === 'event' ? (
              <EventFields part={part} building={building} />
            ) : (
              <AttributeFields part={part} building={building} />
            )}
          </li>
        ))}
      </ul>
      {fault ? <p className="mt-2 text-danger-text">{fault}</p> : null}
      <div className="mt-3 flex flex-wrap gap-2">
        <Add icon={<Plus aria-hidden />} disabled={isFull} onClick={() => add(newAttribute())}>
          {t('add_attribute')}
        </Add>
        <Add icon={<Zap aria-hidden />} disabled={isFull} onClick={() => add(newEvent())}>
          {t('add_event')}
        </Add>
        {depth < SEGMENT_DEPTH ? (
          <Add
            icon={<FolderPlus aria-hidden />}
            disabled={isFull}
            onClick={() => add(newGroup(group.match === 'all' ? 'any' : 'all'))}
          >
            {t('add_group')}
          </Add>
        ) : null}
      </div>
    </fieldset>
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

const Remove = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <IconButton label={label} onClick={onClick}>
    <X aria-hidden className="size-4" />
  </IconButton>
);

const Row = ({ children, remove }: { children: ReactNode; remove: ReactNode }) => (
  <div className="flex items-start gap-2 rounded-lg border bg-surface p-2">
    <div className="flex min-w-0 flex-1 flex-wrap items-start gap-2">{children}</div>
    {remove}
  </div>
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
  const set = (next: AttributeDraft): void => change(part.id, () => next);
  const known = fields?.attributes.find(({ name }) => name === part.name);
  const names = [...OWN_TEXTS, ...OWN_TIMES, ...(fields?.attributes.map(({ name }) => name) ?? [])];
  const isTyped = part.name !== '' && !names.includes(part.name);
  return (
    <Row remove={<Remove label={t('condition_remove')} onClick={() => change(part.id, () => undefined)} />}>
      <NameField
        label={t('rule_attribute')}
        part={part}
        building={building}
        names={names}
        wordOf={attributeName}
        onChange={(name) => set(renamed(part, name, kindKnown(name, fields)))}
      />
      <SelectField
        bare
        frame="min-w-36 flex-[2]"
        label={t('rule_op')}
        value={part.op}
        onChange={({ target }) => {
          const op = opsFor(part.name, part.kind).find((one) => one === target.value);
          if (op) set({ ...part, op });
        }}
        options={opsFor(part.name, part.kind).map((op) => ({
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
          values={known?.values ?? []}
          error={faultIn(building, part.id, 'value')}
          onChange={(text) => set({ ...part, text })}
        />
      ) : null}
    </Row>
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
    <Row remove={<Remove label={t('condition_remove')} onClick={() => change(part.id, () => undefined)} />}>
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
    </Row>
  );
}
