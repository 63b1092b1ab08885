import type { BotSettings } from '@foyer/protocol';
import {
  BOT_RULES_MAX,
  BOT_TONE_MAX,
  MODEL_ANSWERS_PER_CHAT_MAX,
  MODEL_ANSWERS_PER_DAY_MAX,
} from '@foyer/protocol/values/bounds';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../api.ts';
import { useMay } from '../../desk/DeskContext.tsx';
import { FormError } from '../../forms/FormError.tsx';
import { LeaveGuard } from '../../forms/LeaveGuard.tsx';
import { type Form, useForm } from '../../forms/use-form.ts';
import { tCommon } from '../../t-common.ts';
import { Button } from '../../ui/Button.tsx';
import { TextArea, TextField } from '../../ui/forms/Field.tsx';
import { Section } from '../../ui/Page.tsx';
import { toast } from '../../ui/toasts/toast-store.ts';
import { botQuery } from './bot-queries.ts';
import { t } from './t.ts';

const formOf = ({ tone, rules, model_answers_per_chat, model_answers_per_day }: BotSettings) => ({
  tone,
  rules,
  model_answers_per_chat: String(model_answers_per_chat),
  model_answers_per_day: String(model_answers_per_day),
});

interface VoiceSettingsProps {
  bot: BotSettings;
  onUnsaved: (isUnsaved: boolean) => void;
}

/** How the language model speaks for the site, and how often; only where one is configured. */
export function VoiceSettings({ bot, onUnsaved }: VoiceSettingsProps) {
  const client = useQueryClient();
  const admin = useMay('bot');
  const form = useForm({
    stored: formOf(bot),
    save: ({ model_answers_per_chat, model_answers_per_day, ...voice }) =>
      call('bot.update', {
        ...voice,
        model_answers_per_chat: Number(model_answers_per_chat),
        model_answers_per_day: Number(model_answers_per_day),
      }),
    onSaved: (saved) => {
      client.setQueryData(botQuery.queryKey, saved);
      toast.success(t('model_saved'));
    },
  });
  useEffect(() => onUnsaved(form.dirty), [onUnsaved, form.dirty]);
  return (
    <Section title={t('model')} intro={t('model_intro')}>
      <form onSubmit={form.submit} className="space-y-4">
        <TextField
          label={t('tone')}
          maxLength={BOT_TONE_MAX}
          disabled={!admin}
          placeholder={t('tone_example')}
          {...form.text('tone')}
        />
        <TextArea
          label={t('instructions')}
          hint={t('instructions_hint')}
          rows={4}
          maxLength={BOT_RULES_MAX}
          disabled={!admin}
          {...form.text('rules')}
        />
        <Limits form={form} />
        <p className="text-soft">{t('model_beyond')}</p>
        <FormError form={form} title={t('model_failed')} />
        <LeaveGuard dirty={form.dirty} />
        {admin && form.dirty ? (
          <Button look="primary" type="submit" busy={form.saving}>
            {tCommon('save')}
          </Button>
        ) : null}
      </form>
    </Section>
  );
}

function Limits({ form }: { form: Form<ReturnType<typeof formOf>> }) {
  return (
    <div className="flex flex-wrap gap-4">
      <Limit
        label={t('per_chat')}
        max={MODEL_ANSWERS_PER_CHAT_MAX}
        frame="w-40"
        {...form.text('model_answers_per_chat')}
      />
      <Limit
        label={t('per_day')}
        max={MODEL_ANSWERS_PER_DAY_MAX}
        frame="w-48"
        {...form.text('model_answers_per_day')}
      />
    </div>
  );
}

function Limit(props: Parameters<typeof TextField>[0]) {
  const admin = useMay('bot');
  return <TextField type="number" min={0} required disabled={!admin} {...props} />;
}
