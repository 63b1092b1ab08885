import type { BotSettings } from '@foyer/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError, call } from '../../api.ts';
import { useMe } from '../../desk/DeskContext.tsx';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { TextArea, TextField } from '../../ui/Field.tsx';
import { Section } from '../../ui/Page.tsx';
import { say } from '../../ui/toast-store.ts';
import { botQuery } from './bot-queries.ts';

/** BOT_TONE_MAX and BOT_RULES_MAX of the protocol. */
const LONGEST_TONE = 300;
const LONGEST_RULES = 2_000;

const formOf = ({ tone, rules, model_answers_per_chat, model_answers_per_day }: BotSettings) => ({
  tone,
  rules,
  perChat: String(model_answers_per_chat),
  perDay: String(model_answers_per_day),
});

/** How the language model speaks for the site, and how often; only where one is configured. */
export function VoiceSettings({ bot }: { bot: BotSettings }) {
  const { agent } = useMe();
  const client = useQueryClient();
  const [form, setForm] = useState(() => formOf(bot));
  const mayChange = agent.role === 'admin';
  const save = useMutation({
    mutationFn: () =>
      call('bot.update', {
        tone: form.tone,
        rules: form.rules,
        model_answers_per_chat: Number(form.perChat),
        model_answers_per_day: Number(form.perDay),
      }),
    onSuccess: (saved) => {
      client.setQueryData(botQuery.queryKey, saved);
      setForm(formOf(saved));
      say('Saved. It counts from the next answer on.');
    },
  });
  const fields = save.error instanceof ApiError ? save.error : undefined;
  const dirty = JSON.stringify(form) !== JSON.stringify(formOf(bot));
  const set = (change: Partial<typeof form>): void => setForm({ ...form, ...change });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Section
      title="The language model"
      intro="It answers from your published articles alone. These words shape how, never what it knows."
    >
      <form onSubmit={submit} className="space-y-4">
        {save.error && !fields?.issues.length ? (
          <ErrorNote error={save.error} title="It was not saved. What you wrote is still here." />
        ) : null}
        <TextField
          label="Tone"
          maxLength={LONGEST_TONE}
          disabled={!mayChange}
          placeholder="Warm and brief, first names"
          value={form.tone}
          error={fields?.issue('tone')}
          onChange={(event) => set({ tone: event.target.value })}
        />
        <TextArea
          label="Rules"
          hint="What else it should keep to, such as what to call your products."
          rows={4}
          maxLength={LONGEST_RULES}
          disabled={!mayChange}
          value={form.rules}
          error={fields?.issue('rules')}
          onChange={(event) => set({ rules: event.target.value })}
        />
        <div className="flex flex-wrap gap-4">
          <TextField
            label="Answers a chat"
            type="number"
            min={0}
            max={1_000}
            required
            frame="w-40"
            disabled={!mayChange}
            value={form.perChat}
            error={fields?.issue('model_answers_per_chat')}
            onChange={(event) => set({ perChat: event.target.value })}
          />
          <TextField
            label="Answers a visitor a day"
            type="number"
            min={0}
            max={10_000}
            required
            frame="w-48"
            disabled={!mayChange}
            value={form.perDay}
            error={fields?.issue('model_answers_per_day')}
            onChange={(event) => set({ perDay: event.target.value })}
          />
        </div>
        <p className="text-soft">Beyond that the bot answers by itself, word for word from the article.</p>
        {mayChange && dirty ? (
          <Button look="primary" type="submit" busy={save.isPending}>
            Save
          </Button>
        ) : null}
      </form>
    </Section>
  );
}
