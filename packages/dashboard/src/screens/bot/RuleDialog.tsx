import type { HandoffRule, RuleHours } from '@foyer/protocol';
import { HANDOFF_RULE_NAME_MAX } from '@foyer/protocol/bounds';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, call } from '../../api.ts';
import { CheckField, SelectField, TextArea, TextField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { say } from '../../ui/toast-store.ts';
import { phrasesOf } from '../settings/lines.ts';
import { rulesQuery, segmentNamesQuery } from './bot-queries.ts';
import { ruleSentence } from './rule-words.ts';
import { t } from './t.ts';

const HOURS: readonly RuleHours[] = ['any', 'open', 'closed'];

interface Form {
  name: string;
  words: string;
  pages: string;
  segmentIds: readonly number[];
  hours: RuleHours;
  enabled: boolean;
}

const formOf = (rule: HandoffRule | null): Form => ({
  name: rule?.name ?? '',
  words: rule?.words.join('\n') ?? '',
  pages: rule?.pages.join('\n') ?? '',
  segmentIds: rule?.segment_ids ?? [],
  hours: rule?.hours ?? 'any',
  enabled: rule?.enabled ?? true,
});

const inputOf = ({ name, words, pages, segmentIds, hours, enabled }: Form) => ({
  name,
  words: phrasesOf(words),
  pages: phrasesOf(pages),
  segment_ids: [...segmentIds],
  hours,
  enabled,
});

/** Makes or changes a rule by which the bot calls a person. */
export function RuleDialog({ rule, onClose }: { rule: HandoffRule | null; onClose: () => void }) {
  const [form, setForm] = useState(() => formOf(rule));
  const client = useQueryClient();
  const segments = useQuery(segmentNamesQuery);
  const input = inputOf(form);
  const save = useMutation({
    mutationFn: () =>
      rule ? call('handoff_rules.update', { id: rule.id, ...input }) : call('handoff_rules.create', input),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: rulesQuery.queryKey });
      say(t(rule ? 'rule_changed' : 'rule_made'));
      onClose();
    },
  });
  const failed = save.error instanceof ApiError ? save.error : undefined;
  const set = (change: Partial<Form>): void => setForm({ ...form, ...change });
  const empty =
    input.words.length + input.pages.length + input.segment_ids.length === 0 && form.hours === 'any';
  return (
    <FormDialog
      title={t(rule ? 'rule_edit' : 'rule_new')}
      save={save}
      fields={['name', 'words', 'pages']}
      disabled={empty || form.name.trim() === ''}
      onClose={onClose}
    >
      <TextField
        label={t('name')}
        hint={t('rule_name_hint')}
        required
        autoFocus
        maxLength={HANDOFF_RULE_NAME_MAX}
        placeholder={t('rule_name_example')}
        value={form.name}
        error={failed?.issueWithin('name')}
        onChange={(event) => set({ name: event.target.value })}
      />
      <TextArea
        label={t('rule_words')}
        hint={t('rule_words_hint')}
        rows={3}
        placeholder={t('rule_words_example')}
        value={form.words}
        error={failed?.issueWithin('words')}
        onChange={(event) => set({ words: event.target.value })}
      />
      <TextArea
        label={t('rule_pages')}
        hint={t('rule_pages_hint')}
        rows={2}
        placeholder="/checkout"
        value={form.pages}
        error={failed?.issueWithin('pages')}
        onChange={(event) => set({ pages: event.target.value })}
      />
      {segments.data && segments.data.length > 0 ? (
        <fieldset>
          <legend className="mb-1 font-medium">{t('rule_segments')}</legend>
          <div className="scroll-y max-h-40 space-y-2 rounded-lg border p-3">
            {segments.data.map(({ id, name }) => (
              <CheckField
                key={id}
                label={<bdi>{name}</bdi>}
                checked={form.segmentIds.includes(id)}
                onChange={({ target }) =>
                  set({
                    segmentIds: target.checked
                      ? [...form.segmentIds, id]
                      : form.segmentIds.filter((one) => one !== id),
                  })
                }
              />
            ))}
          </div>
        </fieldset>
      ) : null}
      <SelectField
        label={t('rule_when')}
        value={form.hours}
        onChange={(event) => set({ hours: event.target.value as RuleHours })}
      >
        {HOURS.map((value) => (
          <option key={value} value={value}>
            {t(`hours_${value}`)}
          </option>
        ))}
      </SelectField>
      <CheckField
        label={t('rule_on')}
        checked={form.enabled}
        onChange={(event) => set({ enabled: event.target.checked })}
      />
      <p className="wrap-anywhere rounded-lg bg-sunken p-3 text-soft" aria-live="polite">
        {empty ? t('rule_empty') : ruleSentence(input, segments.data ?? [])}
      </p>
    </FormDialog>
  );
}
