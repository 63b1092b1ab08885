import type { HandoffRule, RuleHours } from '@foyer/protocol';
import { HANDOFF_RULE_NAME_MAX } from '@foyer/protocol/values/bounds';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api.ts';
import { FormDialog } from '../../forms/FormDialog.tsx';
import { type Form, useForm } from '../../forms/use-form.ts';
import { CheckField, SelectField, TextArea, TextField } from '../../ui/forms/Field.tsx';
import { toast } from '../../ui/toasts/toast-store.ts';
import { phrasesOf } from '../settings/lines.ts';
import { rulesQuery, segmentNamesQuery } from './bot-queries.ts';
import { ruleSentence } from './rule-words.ts';
import { t } from './t.ts';

const HOURS: readonly RuleHours[] = ['any', 'open', 'closed'];

interface SegmentName {
  id: number;
  name: string;
}

interface Values {
  name: string;
  words: string;
  pages: string;
  segmentIds: readonly number[];
  hours: RuleHours;
  enabled: boolean;
}

const formOf = (rule: HandoffRule | null): Values => ({
  name: rule?.name ?? '',
  words: rule?.words.join('\n') ?? '',
  pages: rule?.pages.join('\n') ?? '',
  segmentIds: rule?.segment_ids ?? [],
  hours: rule?.hours ?? 'any',
  enabled: rule?.enabled ?? true,
});

const inputOf = ({ name, words, pages, segmentIds, hours, enabled }: Values) => ({
  name,
  words: phrasesOf(words),
  pages: phrasesOf(pages),
  segment_ids: [...segmentIds],
  hours,
  enabled,
});

/** Makes or changes a rule by which the bot calls a person. */
export function RuleDialog({ rule, onClose }: { rule: HandoffRule | null; onClose: () => void }) {
  const client = useQueryClient();
  const segments = useQuery(segmentNamesQuery).data ?? [];
  const form = useForm({
    initial: formOf(rule),
    save: (values) => {
      const input = inputOf(values);
      return rule
        ? call('handoff_rules.update', { id: rule.id, ...input })
        : call('handoff_rules.create', input);
    },
    onSaved: async () => {
      await client.invalidateQueries({ queryKey: rulesQuery.queryKey });
      toast.success(t(rule ? 'rule_changed' : 'rule_created'));
      onClose();
    },
  });
  const input = inputOf(form.values);
  const empty =
    input.words.length + input.pages.length + input.segment_ids.length === 0 && input.hours === 'any';
  return (
    <FormDialog
      title={t(rule ? 'rule_edit' : 'rule_new')}
      form={form}
      disabled={empty || input.name.trim() === ''}
      onClose={onClose}
    >
      <Conditions form={form} segments={segments} />
      <CheckField label={t('rule_on')} {...form.checkbox('enabled')} />
      <p className="wrap-anywhere rounded-lg bg-sunken p-3 text-soft" aria-live="polite">
        {empty ? t('rule_empty') : ruleSentence(input, segments)}
      </p>
    </FormDialog>
  );
}

interface ConditionsProps {
  form: Form<Values>;
  segments: readonly SegmentName[];
}

function Conditions({ form, segments }: ConditionsProps) {
  return (
    <>
      <TextField
        label={t('name')}
        hint={t('rule_name_hint')}
        required
        autoFocus
        maxLength={HANDOFF_RULE_NAME_MAX}
        placeholder={t('rule_name_example')}
        {...form.text('name')}
      />
      <TextArea
        label={t('rule_words')}
        hint={t('rule_words_hint')}
        rows={3}
        placeholder={t('rule_words_example')}
        {...form.text('words')}
      />
      <TextArea
        label={t('rule_pages')}
        hint={t('rule_pages_hint')}
        rows={2}
        placeholder="/checkout"
        {...form.text('pages')}
      />
      {segments.length > 0 ? (
        <SegmentChoice
          segments={segments}
          chosen={form.values.segmentIds}
          onChange={(segmentIds) => form.set({ segmentIds })}
        />
      ) : null}
      <SelectField
        label={t('rule_when')}
        {...form.text('hours')}
        options={HOURS.map((value) => ({ value, label: t(`hours_${value}`) }))}
      />
    </>
  );
}

interface SegmentChoiceProps {
  segments: readonly SegmentName[];
  chosen: readonly number[];
  onChange: (chosen: number[]) => void;
}

function SegmentChoice({ segments, chosen, onChange }: SegmentChoiceProps) {
  return (
    <fieldset>
      <legend className="mb-1 font-medium">{t('rule_segments')}</legend>
      <div className="scroll-y max-h-40 space-y-2 rounded-lg border p-3">
        {segments.map(({ id, name }) => (
          <CheckField
            key={id}
            label={<bdi>{name}</bdi>}
            checked={chosen.includes(id)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, id] : chosen.filter((one) => one !== id))
            }
          />
        ))}
      </div>
    </fieldset>
  );
}
