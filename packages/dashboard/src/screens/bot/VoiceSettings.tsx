import type { BotSettings } from '@foyer/protocol';
import {
  BOT_RULES_MAX,
  BOT_TONE_MAX,
  MODEL_ANSWERS_PER_CHAT_MAX,
  MODEL_ANSWERS_PER_DAY_MAX,
} from '@foyer/protocol/bounds';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { ApiError, call } from '../../api.ts';
import { base } from '../../base.ts';
import { useMe } from '../../desk/DeskContext.tsx';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { TextArea, TextField } from '../../ui/Field.tsx';
import { LeaveGuard } from '../../ui/LeaveGuard.tsx';
import { Section } from '../../ui/Page.tsx';
import { say } from '../../ui/toast-store.ts';
import { useForm } from '../settings/use-form.ts';
import { botQuery } from './bot-queries.ts';
import { t } from './t.ts';

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
  const { form, dirty, set, forget } = useForm(formOf(bot));
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
      say(t('model_saved'));
    },
  });
  const fields = save.error instanceof ApiError ? save.error : undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate(undefined, { onSuccess: forget });
  };
  return (
    <Section title={t('model')} intro={t('model_intro')}>
      <form onSubmit={submit} className="space-y-4">
        {save.error &&
        !fields?.isOnlyOf(['tone', 'rules', 'model_answers_per_chat', 'model_answers_per_day']) ? (
          <ErrorNote error={save.error} title={t('model_failed')} />
        ) : null}
        <TextField
          label={t('tone')}
          maxLength={BOT_TONE_MAX}
          disabled={!mayChange}
          placeholder={t('tone_example')}
          value={form.tone}
          error={fields?.issue('tone')}
          onChange={(event) => set({ tone: event.target.value })}
        />
        <TextArea
          label={t('voice_rules')}
          hint={t('voice_rules_hint')}
          rows={4}
          maxLength={BOT_RULES_MAX}
          disabled={!mayChange}
          value={form.rules}
          error={fields?.issue('rules')}
          onChange={(event) => set({ rules: event.target.value })}
        />
        <div className="flex flex-wrap gap-4">
          <TextField
            label={t('per_chat')}
            type="number"
            min={0}
            max={MODEL_ANSWERS_PER_CHAT_MAX}
            required
            frame="w-40"
            disabled={!mayChange}
            value={form.perChat}
            error={fields?.issue('model_answers_per_chat')}
            onChange={(event) => set({ perChat: event.target.value })}
          />
          <TextField
            label={t('per_day')}
            type="number"
            min={0}
            max={MODEL_ANSWERS_PER_DAY_MAX}
            required
            frame="w-48"
            disabled={!mayChange}
            value={form.perDay}
            error={fields?.issue('model_answers_per_day')}
            onChange={(event) => set({ perDay: event.target.value })}
          />
        </div>
        <p className="text-soft">{t('model_beyond')}</p>
        <LeaveGuard dirty={dirty} />
        {mayChange && dirty ? (
          <Button look="primary" type="submit" busy={save.isPending}>
            {base('save')}
          </Button>
        ) : null}
      </form>
    </Section>
  );
}
