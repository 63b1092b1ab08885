import type { Block } from '@foyer/protocol';
import { BLOCK_NOTE_MAX, BLOCK_VALUE_MAX } from '@foyer/protocol/values/bounds';
import { DAY_MS } from '@foyer/protocol/values/durations';
import { BLOCK_KINDS, type BlockKind } from '@foyer/protocol/values/wire-names';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../api.ts';
import { FormDialog } from '../../forms/FormDialog.tsx';
import { type Form, useForm } from '../../forms/use-form.ts';
import { dateOf } from '../../times.ts';
import { SelectField, TextField } from '../../ui/forms/Field.tsx';
import { nameOf } from './block-filter.ts';
import { countryOptions } from './countries.ts';
import { t } from './t.ts';

const DAYS = { day: 1, week: 7, month: 30 } as const;
type Ends = 'never' | 'kept' | keyof typeof DAYS;

const expiryOf = (ends: Ends): string | null | undefined => {
  if (ends === 'never') return null;
  return ends === 'kept' ? undefined : new Date(Date.now() + DAYS[ends] * DAY_MS).toISOString();
};

interface Values {
  kind: BlockKind;
  value: string;
  note: string;
  ends: Ends;
}

interface BlockDialogProps {
  /** Null: a new one. */
  block: Block | null;
  kind: BlockKind;
  onClose: () => void;
}

/** Blocks something, or changes the note and the end of a block. */
export function BlockDialog({ block, kind: first, onClose }: BlockDialogProps) {
  const client = useQueryClient();
  const form = useForm({
    initial: {
      kind: block?.kind ?? first,
      value: '',
      note: block?.note ?? '',
      ends: block?.expires_utc ? 'kept' : 'never',
    } as Values,
    save: ({ kind, value, note, ends }) => {
      const expires_utc = expiryOf(ends);
      const common = { note, ...(expires_utc === undefined ? {} : { expires_utc }) };
      return block
        ? call('blocks.update', { id: block.id, ...common })
        : call('blocks.create', { kind, value, ...common });
    },
    onSaved: async () => {
      await client.invalidateQueries({ queryKey: ['blocks'] });
      onClose();
    },
  });
  return (
    <FormDialog
      title={block ? t('edit_title') : t('new_title')}
      form={form}
      {...(block ? {} : { action: t('add'), failure: t('add_failed') })}
      disabled={block === null && form.values.value.trim() === ''}
      onClose={onClose}
    >
      {block ? (
        <p className="wrap-anywhere font-medium">
          <bdi>{nameOf(block)}</bdi>
        </p>
      ) : (
        <KindAndValue form={form} />
      )}
      <SelectField
        label={t('ends')}
        options={[
          ...(block?.expires_utc
            ? [{ value: 'kept', label: t('ends_kept', { date: dateOf(block.expires_utc) }) }]
            : []),
          { value: 'never', label: t('ends_never') },
          { value: 'day', label: t('ends_day') },
          { value: 'week', label: t('ends_week') },
          { value: 'month', label: t('ends_month') },
        ]}
        {...form.text('ends')}
      />
      <TextField label={t('note')} hint={t('note_hint')} maxLength={BLOCK_NOTE_MAX} {...form.text('note')} />
    </FormDialog>
  );
}

/** What a new block is about. */
function KindAndValue({ form }: { form: Form<Values> }) {
  const { kind } = form.values;
  return (
    <>
      <SelectField
        label={t('kind')}
        options={BLOCK_KINDS.map((value) => ({ value, label: t(`kind_${value}`) }))}
        value={kind}
        onChange={({ target }) => form.set({ kind: target.value as BlockKind, value: '' })}
      />
      {kind === 'country' ? (
        <SelectField
          label={t('value_country')}
          hint={t('value_country_hint')}
          any=""
          options={countryOptions()}
          {...form.text('value')}
        />
      ) : (
        <TextField
          label={t(`value_${kind}`)}
          hint={t(`value_${kind}_hint`)}
          required
          autoComplete="off"
          maxLength={BLOCK_VALUE_MAX}
          {...form.text('value')}
        />
      )}
    </>
  );
}
