import type { AttributeKind } from '@foyer/protocol';
import { ATTRIBUTE_NAME_MAX } from '@foyer/protocol/values/bounds';
import { useQuery } from '@tanstack/react-query';
import { Pencil, Plus } from 'lucide-react';
import { useId, useState } from 'react';
import { useMay } from '../../../desk/DeskContext.tsx';
import { FormDialog } from '../../../forms/FormDialog.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { SelectField, TextArea, TextField } from '../../../ui/forms/Field.tsx';
import { valueText } from '../../../words.ts';
import { customFieldsQuery, fieldsOf } from '../../fields/fields-query.ts';
import { t } from '../t.ts';
import { fieldsQuery } from '../visitor-queries.ts';
import { kindOf, readValue, textOf } from './attribute-value.ts';
import { Fold } from './Fold.tsx';
import { type Person, useChange } from './person-queries.ts';

const KINDS: readonly AttributeKind[] = ['text', 'number', 'boolean', 'list'];

/** The attributes from the site, and those that agents add. */
export function Attributes({ person }: { person: Person }) {
  const [editing, setEditing] = useState<string>();
  const mayChange = useMay('people');
  const fields = fieldsOf(useQuery(customFieldsQuery).data?.items, 'people');
  // Fields are shown by their names.
  const attributes = Object.entries(person.attributes).filter(
    ([name]) => !fields.some(({ key }) => key === name),
  );
  return (
    <Fold
      name="attributes"
      title={t('attributes')}
      actions={
        mayChange ? (
          <IconButton small label={t('attribute_add')} onClick={() => setEditing('')}>
            <Plus aria-hidden className="size-4" />
          </IconButton>
        ) : null
      }
    >
      {attributes.length === 0 ? (
        <p className="text-faint">{t('attributes_none', { call: "svc('identify', …)" })}</p>
      ) : (
        <dl className="space-y-0.5">
          {attributes.map(([name, value]) => (
            <div key={name} className="group flex items-start gap-2">
              <dt className="w-24 shrink-0 truncate py-0.5 text-soft" title={name}>
                <bdi>{name}</bdi>
              </dt>
              <dd className="wrap-anywhere line-clamp-6 min-w-0 flex-1 py-0.5" title={valueText(value)}>
                <bdi>{valueText(value)}</bdi>
              </dd>
              {mayChange ? (
                <dd className="shrink-0">
                  <IconButton small label={t('attribute_edit', { name })} onClick={() => setEditing(name)}>
                    <Pencil aria-hidden className="size-3.5" />
                  </IconButton>
                </dd>
              ) : null}
            </div>
          ))}
        </dl>
      )}
      {editing === undefined ? null : (
        <AttributeDialog person={person} name={editing} onClose={() => setEditing(undefined)} />
      )}
    </Fold>
  );
}

interface AttributeDialogProps {
  person: Person;
  /** Empty for a new one. */
  name: string;
  onClose: () => void;
}

function AttributeDialog({ person, name: known, onClose }: AttributeDialogProps) {
  const { form, choose, remove, removing } = useAttributeForm(person, known, onClose);
  const { name, kind, text } = form.values;
  return (
    <FormDialog
      title={known ? t('attribute_edit', { name: known }) : t('attribute_add')}
      onClose={onClose}
      form={form}
      disabled={name.trim() === '' || readValue(kind, text) === undefined}
    >
      {known ? null : (
        <NameField value={name} onChange={(next) => form.set({ name: next })} onKind={choose} />
      )}
      <SelectField
        label={t('attribute_kind')}
        value={kind}
        onChange={({ target }) => choose(KINDS.find((one) => one === target.value) ?? 'text')}
        options={KINDS.map((one) => ({ value: one, label: t(`kind_${one}`) }))}
      />
      <ValueField kind={kind} value={text} onChange={(next) => form.set({ text: next })} />
      {known ? (
        <Button look="danger-quiet" small className="-ms-3" busy={removing || form.saving} onClick={remove}>
          {t('attribute_remove')}
        </Button>
      ) : null}
    </FormDialog>
  );
}

function useAttributeForm(person: Person, known: string, onClose: () => void) {
  const update = useChange('visitors.update', { done: t('saved'), failed: t('not_changed') });
  const put = (name: string, value: ReturnType<typeof readValue>) =>
    update.mutateAsync({ key: person.key, attributes: { [name.trim()]: value ?? null } });
  const form = useForm({
    initial: {
      name: known,
      kind: kindOf(person.attributes[known]),
      text: textOf(person.attributes[known]),
    },
    save: ({ name, kind, text }) => put(name, readValue(kind, text)),
    onSaved: onClose,
  });
  return {
    form,
    choose: (kind: AttributeKind): void =>
      form.set({ kind, ...(kind === 'boolean' ? { text: 'true' } : {}) }),
    remove: (): void => void put(known, undefined).then(onClose, () => undefined),
    removing: update.isPending,
  };
}

interface NameFieldProps {
  value: string;
  onChange: (name: string) => void;
  /** The name is one that the site has sent, with values of this kind. */
  onKind: (kind: AttributeKind) => void;
}

function NameField({ value, onChange, onKind }: NameFieldProps) {
  const id = useId();
  const sent = useQuery(fieldsQuery).data?.attributes ?? [];
  return (
    <>
      <TextField
        label={t('attribute_name')}
        hint={t('attribute_name_hint')}
        list={id}
        maxLength={ATTRIBUTE_NAME_MAX}
        value={value}
        onChange={({ target }) => {
          onChange(target.value);
          const kind = sent.find((one) => one.name === target.value)?.kinds[0];
          if (kind) onKind(kind);
        }}
      />
      <datalist id={id}>
        {sent.map((one) => (
          <option key={one.name} value={one.name} />
        ))}
      </datalist>
    </>
  );
}

interface ValueFieldProps {
  kind: AttributeKind;
  value: string;
  onChange: (value: string) => void;
}

function ValueField({ kind, value, onChange }: ValueFieldProps) {
  const field = {
    label: t('attribute_value'),
    value,
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
  };
  if (kind === 'boolean')
    return (
      <SelectField
        {...field}
        options={[
          { value: 'true', label: t('filter_yes') },
          { value: 'false', label: t('filter_no') },
        ]}
      />
    );
  if (kind === 'list') return <TextArea hint={t('attribute_list_hint')} {...field} />;
  return <TextField inputMode={kind === 'number' ? 'decimal' : 'text'} maxLength={2000} {...field} />;
}
