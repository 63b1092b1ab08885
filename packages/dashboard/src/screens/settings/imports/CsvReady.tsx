import type { CsvColumn, CsvFound, CsvTarget, DataImport } from '@foyer/protocol';
import { ATTRIBUTE_NAME_MAX } from '@foyer/protocol/values/bounds';
import { ATTRIBUTE_FORMS, TICKET_FIELDS, VISITOR_FIELDS } from '@foyer/protocol/values/wire-names';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { SelectField, TextField } from '../../../ui/forms/Field.tsx';
import { Rows, Section } from '../../../ui/Page.tsx';
import { Callout } from '../../../ui/States.tsx';
import { customFieldsQuery, fieldsOf } from '../../fields/fields-query.ts';
import { Forget } from './Forget.tsx';
import { t } from './t.ts';
import { useStart } from './use-start.ts';

/** A column that is neither skipped, nor an attribute or a custom field. */
type Field = Exclude<CsvTarget, 'skip' | 'attribute' | 'field'>;

const TARGETS = { visitors: VISITOR_FIELDS, tickets: TICKET_FIELDS } as const;
const SAMPLES_SHOWN = 3;

/** The select's value for a column: its target, and an attribute's type or a custom field's key. */
function choiceOf({ to, as = 'text', name = '' }: CsvColumn): string {
  if (to === 'attribute') return `attribute ${as}`;
  return to === 'field' ? `field ${name}` : to;
}

function columnOf(choice: string, head: string, targets: readonly Field[]): CsvColumn {
  const as = ATTRIBUTE_FORMS.find((form) => choice === `attribute ${form}`);
  if (as) return { to: 'attribute', as, name: head };
  const [, key] = /^field (.+)$/.exec(choice) ?? [];
  if (key) return { to: 'field', name: key };
  return { to: targets.find((to) => to === choice) ?? 'skip' };
}

interface CsvReadyProps {
  one: DataImport;
  kind: keyof typeof TARGETS;
  found: CsvFound;
}

/** What a CSV contains, the field of each column, and what importing will do. */
export function CsvReady({ one, kind, found }: CsvReadyProps) {
  const [columns, setColumns] = useState<readonly CsvColumn[]>(found.guess);
  const start = useStart(one.id);
  // Two columns may have the same name.
  const heads = found.columns.map((head, at) => ({ key: `${at} ${head}`, head, at }));
  const change = (at: number, column: CsvColumn): void => {
    start.reset();
    setColumns(columns.map((before, place) => (place === at ? column : before)));
  };
  return (
    <>
      <Callout icon={<CircleCheck aria-hidden />}>
        <p className="font-medium">{t('csv_found', { count: found.rows, columns: found.columns.length })}</p>
        <p className="text-soft">
          {found.encoding === 'windows-1252'
            ? t('csv_fallback')
            : t('csv_encoding', { encoding: found.encoding.toUpperCase() })}
        </p>
      </Callout>
      <Section title={t('csv_columns')} intro={t('csv_columns_hint')}>
        <Rows label={t('csv_columns')}>
          {heads.map(({ key, head, at }) => (
            <ColumnRow
              key={key}
              kind={kind}
              name={head || t('csv_unnamed', { number: at + 1 })}
              samples={found.samples.map((cells) => cells[at] ?? '').filter(Boolean)}
              column={columns[at] ?? { to: 'skip' }}
              onChange={(column) => change(at, column)}
            />
          ))}
        </Rows>
      </Section>
      <Outlook kind={kind} columns={columns} />
      {start.error ? <ErrorNote error={start.error} title={t('not_begun')} className="mt-4" /> : null}
      <div className="mt-2 flex flex-wrap items-end gap-2">
        <Button look="primary" busy={start.isPending} onClick={() => start.mutate({ columns: [...columns] })}>
          {t('csv_put_in', { count: found.rows })}
        </Button>
        <Forget one={one} />
      </div>
    </>
  );
}

interface ColumnRowProps {
  kind: keyof typeof TARGETS;
  name: string;
  samples: readonly string[];
  column: CsvColumn;
  onChange: (column: CsvColumn) => void;
}

/** A column with sample cells, and its field. */
function ColumnRow({ kind, name, samples, column, onChange }: ColumnRowProps) {
  const targets: readonly Field[] = TARGETS[kind];
  const custom = fieldsOf(useQuery(customFieldsQuery).data?.items, 'tickets');
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-52">
        <p className="truncate font-medium">
          <bdi>{name}</bdi>
        </p>
        <p className="truncate text-soft text-xs">
          <bdi>{samples.slice(0, SAMPLES_SHOWN).join(' · ') || t('csv_no_sample')}</bdi>
        </p>
      </div>
      <SelectField
        bare
        label={t('csv_is', { head: name })}
        frame="w-52 max-md:w-full"
        value={choiceOf(column)}
        onChange={({ target }) => onChange(columnOf(target.value, name, targets))}
        options={[
          { value: 'skip', label: t('to_skip') },
          ...targets.map((value) => ({ value, label: t(`to_${value}`) })),
          ...(kind === 'visitors' ? ATTRIBUTE_FORMS : []).map((form) => ({
            value: `attribute ${form}`,
            label: t(`to_attribute_${form}`),
          })),
          ...(kind === 'tickets' ? custom : []).map((field) => ({
            value: `field ${field.key}`,
            label: t('to_field', { name: field.name }),
          })),
        ]}
      />
      {column.to === 'attribute' ? (
        <TextField
          bare
          label={t('csv_attribute', { head: name })}
          frame="w-40 max-md:w-full"
          maxLength={ATTRIBUTE_NAME_MAX}
          value={column.name ?? ''}
          onChange={({ target }) => onChange({ ...column, name: target.value })}
        />
      ) : null}
    </li>
  );
}

interface OutlookProps {
  kind: keyof typeof TARGETS;
  columns: readonly CsvColumn[];
}

/** What the import will do. */
function Outlook({ kind, columns }: OutlookProps) {
  return (
    <Section title={t('will_title')}>
      <ul className="max-w-xl list-disc space-y-1 ps-5">
        <li>{t(`will_${kind}_same`)}</li>
        {kind === 'tickets' && !columns.some(({ to }) => to === 'external_id') ? (
          <li className="text-warn-text">{t('will_tickets_twice')}</li>
        ) : null}
        <li>{t(`will_${kind}_quiet`)}</li>
        {kind === 'tickets' ? <li>{t('will_tickets_reports')}</li> : null}
        <li>{t('will_problems')}</li>
      </ul>
    </Section>
  );
}
