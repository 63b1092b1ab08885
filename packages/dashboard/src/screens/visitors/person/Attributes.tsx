import type { AttributeKind } from '@foyer/protocol';
import { ATTRIBUTE_NAME_MAX } from '@foyer/protocol/bounds';
import { useQuery } from '@tanstack/react-query';
import { Pencil, Plus } from 'lucide-react';
import { useId, useState } from 'react';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { SelectField, TextArea, TextField } from '../../../ui/Field.tsx';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { valueText } from '../../../words.ts';
import { t } from '../t.ts';
import { fieldsQuery } from '../visitor-queries.ts';
import { kindOf, readValue, textOf } from './attribute-value.ts';
import { Fold } from './Fold.tsx';
import { type Person, useChange } from './person-queries.ts';

const KINDS: readonly AttributeKind[] = ['text', 'number', 'boolean', 'list'];

/** What the site has told of the person, and what agents add to it. */
export function Attributes({ person }: { person: Person }) {
  const [editing, setEditing] = useState<string>();
  const attributes = Object.entries(person.attributes);
  return (
    <Fold
      name="attributes"
      title={t('attributes')}
      actions={
        <IconButton small label={t('attribute_add')} onClick={() => setEditing('')}>
          <Plus aria-hidden className="size-4" />
        </IconButton>
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
              <dd className="shrink-0">
                <IconButton small label={t('attribute_edit', { name })} onClick={() => setEditing(name)}>
                  <Pencil aria-hidden className="size-3.5" />
                </IconButton>
              </dd>
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
  const id = useId();
  const [name, setName] = useState(known);
  const [kind, setKind] = useState(kindOf(person.attributes[known]));
  const [text, setText] = useState(textOf(person.attributes[known]));
  const told = useQuery(fieldsQuery).data?.attributes ?? [];
  const change = useChange('visitors.update', { done: t('saved'), failed: t('not_changed') });
  const value = readValue(kind, text);
  const put = (next: ReturnType<typeof readValue>): void =>
    change.mutate({ key: person.key, attributes: { [name.trim()]: next ?? null } }, { onSuccess: onClose });
  const choose = (next: AttributeKind): void => {
    setKind(next);
    if (next === 'boolean') setText('true');
  };
  return (
    <FormDialog
      title={known ? t('attribute_edit', { name: known }) : t('attribute_add')}
      onClose={onClose}
      save={{ isPending: change.isPending, error: change.error, mutate: () => put(value) }}
      fields={[]}
      disabled={name.trim() === '' || value === undefined}
    >
      {known ? null : (
        <>
          <TextField
            label={t('attribute_name')}
            hint={t('attribute_name_hint')}
            list={id}
            maxLength={ATTRIBUTE_NAME_MAX}
            value={name}
            onChange={({ target }) => {
              setName(target.value);
              const same = told.find((one) => one.name === target.value)?.kinds[0];
              if (same) choose(same);
            }}
          />
          <datalist id={id}>
            {told.map((one) => (
              <option key={one.name} value={one.name} />
            ))}
          </datalist>
        </>
      )}
      <SelectField
        label={t('attribute_kind')}
        value={kind}
        onChange={({ target }) => choose(KINDS.find((one) => one === target.value) ?? 'text')}
      >
        {KINDS.map((one) => (
          <option key={one} value={one}>
            {t(`kind_${one}`)}
          </option>
        ))}
      </SelectField>
      {kind === 'boolean' ? (
        <SelectField
          label={t('attribute_value')}
          value={text}
          onChange={({ target }) => setText(target.value)}
        >
          <option value="true">{t('filter_yes')}</option>
          <option value="false">{t('filter_no')}</option>
        </SelectField>
      ) : kind === 'list' ? (
        <TextArea
          label={t('attribute_value')}
          hint={t('attribute_list_hint')}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      ) : (
        <TextField
          label={t('attribute_value')}
          inputMode={kind === 'number' ? 'decimal' : 'text'}
          maxLength={2000}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      )}
      {known ? (
        <Button look="danger-quiet" small className="-ms-3" busy={change.isPending} onClick={() => put(null)}>
          {t('attribute_remove')}
        </Button>
      ) : null}
    </FormDialog>
  );
}
