import { useIsAdmin, useMe } from '../../../desk/DeskContext.tsx';
import { Toggle } from '../../../ui/forms/Toggle.tsx';
import { Section } from '../../../ui/Page.tsx';
import { useSiteChange } from '../use-site-form.ts';
import { SessionRules } from './SessionRules.tsx';
import { t } from './t.ts';

/** Whether all agents need two-factor sign-in. */
export function TwoFactorRule() {
  const { agent, site } = useMe();
  const save = useSiteChange({
    done: (saved) => (saved.two_factor_required ? t('required') : t('not_required')),
    failed: t('rule_failed'),
  });
  const admin = useIsAdmin();
  const isPossible = agent.two_factor || agent.passkeys > 0 || site.two_factor_required;
  return (
    <Section title={t('signing_in')}>
      <Toggle
        label={t('require')}
        hint={isPossible || !admin ? t('require_hint') : t('require_own_first')}
        on={site.two_factor_required}
        disabled={!admin || !isPossible}
        busy={save.isPending}
        onChange={(on) => save.mutate({ two_factor_required: on })}
      />
      <SessionRules />
    </Section>
  );
}
