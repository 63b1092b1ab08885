import type { HandoffRule, RuleHours } from '@foyer/protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, call } from '../../api.ts';
import { CheckField, SelectField, TextArea, TextField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { say } from '../../ui/toast-store.ts';
import { rulesQuery, segmentNamesQuery } from './bot-queries.ts';
import { HOURS_WORDS, phrasesOf, ruleSentence } from './rule-words.ts';

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
      say(rule ? 'The rule was changed.' : 'The rule counts from the next message on.');
      onClose();
    },
  });
  const failed = save.error instanceof ApiError ? save.error : undefined;
  const set = (change: Partial<Form>): void => setForm({ ...form, ...change });
  const empty =
    input.words.length + input.pages.length + input.segment_ids.length === 0 && form.hours === 'any';
  return (
    <FormDialog
      title={rule ? 'Edit the rule' : 'New rule'}
      save={save}
      fields={['name', 'words', 'pages', 'segment_ids']}
      disabled={empty || form.name.trim() === ''}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="The team sees it when the rule has called them."
        required
        autoFocus
        maxLength={80}
        placeholder="Refunds"
        value={form.name}
        error={failed?.issueWithin('name')}
        onChange={(event) => set({ name: event.target.value })}
      />
      <TextArea
        label="The message has"
        hint="One word or phrase a line; any of them will do. refund* also finds refunded."
        rows={3}
        placeholder={'refund*\nmoney back'}
        value={form.words}
        error={failed?.issueWithin('words')}
        onChange={(event) => set({ words: event.target.value })}
      />
      <TextArea
        label="The chat began on"
        hint="One page a line, with all that lies below it: /checkout, or shop.example/checkout."
        rows={2}
        placeholder="/checkout"
        value={form.pages}
        error={failed?.issueWithin('pages')}
        onChange={(event) => set({ pages: event.target.value })}
      />
      {segments.data && segments.data.length > 0 ? (
        <fieldset>
          <legend className="mb-1 font-medium">The visitor is in</legend>
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
        label="When"
        value={form.hours}
        onChange={(event) => set({ hours: event.target.value as RuleHours })}
      >
        {Object.entries(HOURS_WORDS).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <CheckField
        label="On"
        checked={form.enabled}
        onChange={(event) => set({ enabled: event.target.checked })}
      />
      <p className="wrap-anywhere rounded-lg bg-sunken p-3 text-soft" aria-live="polite">
        {empty
          ? 'Set at least one condition. All that you set must be met.'
          : ruleSentence(input, segments.data ?? [])}
      </p>
    </FormDialog>
  );
}
