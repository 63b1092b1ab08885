import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api.ts';
import { useIsAdmin, useMe } from '../../../desk/DeskContext.tsx';
import { meQuery } from '../../../queries.ts';
import { Section } from '../../../ui/Page.tsx';
import { Toggle } from '../../../ui/Toggle.tsx';
import { complain, say } from '../../../ui/toast-store.ts';
import { t } from './t.ts';

/** Whether everybody of the team needs a code to sign in. */
export function TwoFactorRule() {
  const { agent, site } = useMe();
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: (two_factor_required: boolean) => call('site.update', { two_factor_required }),
    onSuccess: (saved) => {
      client.setQueryData(meQuery.queryKey, (me) => (me ? { ...me, site: saved } : me));
      say(saved.two_factor_required ? t('required') : t('not_required'));
    },
    onError: (error) => complain(t('rule_failed'), error),
  });
  const admin = useIsAdmin();
  const isPossible = agent.two_factor || site.two_factor_required;
  return (
    <Section title={t('signing_in')}>
      <Toggle
        label={t('require')}
        hint={isPossible || !admin ? t('require_hint') : t('require_own_first')}
        on={site.two_factor_required}
        disabled={!admin || !isPossible}
        busy={save.isPending}
        onChange={(on) => save.mutate(on)}
      />
    </Section>
  );
}
