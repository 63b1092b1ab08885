import type { BotSettings } from '@foyer/protocol';
import { OWN_BOT_TIMEOUT_MAX_S, OWN_BOT_TIMEOUT_MIN_S } from '@foyer/protocol/values/bounds';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api.ts';
import { useMay } from '../../desk/DeskContext.tsx';
import { FormError } from '../../forms/FormError.tsx';
import { useForm } from '../../forms/use-form.ts';
import { tCommon } from '../../t-common.ts';
import { Button } from '../../ui/Button.tsx';
import { SelectField, TextField } from '../../ui/forms/Field.tsx';
import { toast } from '../../ui/toasts/toast-store.ts';
import { botQuery } from './bot-queries.ts';
import { t } from './t.ts';

/** Whether Foyer's bot answers or a program of the site's, and how long that may take. */
export function OwnBot({ bot }: { bot: BotSettings }) {
  const client = useQueryClient();
  const admin = useMay('bot');
  const choose = useMutation({
    mutationFn: (own: boolean) => call('bot.update', { own }),
    onSuccess: (saved) => client.setQueryData(botQuery.queryKey, saved),
    onError: (error) => toast.error(t('bot_unchanged'), error),
  });
  return (
    <div className="space-y-3">
      <SelectField
        label={t('who')}
        frame="w-64"
        disabled={!admin || choose.isPending}
        value={bot.own ? 'own' : 'built_in'}
        onChange={({ target }) => choose.mutate(target.value === 'own')}
        {...(bot.own && { hint: t('own_hint', { event: 'bot_turn_requested' }) })}
        options={[
          { value: 'built_in', label: t('who_built_in') },
          { value: 'own', label: t('who_own') },
        ]}
      />
      {bot.own ? <Timeout bot={bot} /> : null}
    </div>
  );
}

function Timeout({ bot }: { bot: BotSettings }) {
  const client = useQueryClient();
  const admin = useMay('bot');
  const form = useForm({
    stored: { own_timeout_s: String(bot.own_timeout_s) },
    save: ({ own_timeout_s }) => call('bot.update', { own_timeout_s: Number(own_timeout_s) }),
    onSaved: (saved) => client.setQueryData(botQuery.queryKey, saved),
  });
  return (
    <form onSubmit={form.submit} className="space-y-2">
      <div className="flex items-end gap-2">
        <TextField
          label={t('own_timeout')}
          type="number"
          required
          min={OWN_BOT_TIMEOUT_MIN_S}
          max={OWN_BOT_TIMEOUT_MAX_S}
          disabled={!admin}
          frame="w-40"
          {...form.text('own_timeout_s')}
        />
        {admin && form.dirty ? (
          <Button type="submit" busy={form.saving}>
            {tCommon('save')}
          </Button>
        ) : null}
      </div>
      <FormError form={form} title={t('bot_unchanged')} />
    </form>
  );
}
