import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api.ts';
import { base } from '../../../base.ts';
import { useIsAdmin, useMe } from '../../../desk/DeskContext.tsx';
import { meQuery } from '../../../queries.ts';
import { Section } from '../../../ui/Page.tsx';
import { Toggle } from '../../../ui/Toggle.tsx';
import { complain, say } from '../../../ui/toast-store.ts';
import { t } from './t.ts';

const BOOT = "svc('boot')";

/** Whether pages wait for the visitor's consent; saved at once. */
export function ConsentSetting() {
  const { site } = useMe();
  const admin = useIsAdmin();
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: (consent: boolean) => call('site.update', { consent }),
    onSuccess: (saved) => {
      client.setQueryData(meQuery.queryKey, (me) => (me ? { ...me, site: saved } : me));
      say(t('saved'));
    },
    onError: (error) => complain(base('not_saved'), error),
  });
  return (
    <Section title={t('privacy')} intro={t('privacy_intro')}>
      <Toggle
        label={t('consent')}
        hint={t('consent_hint', { code: BOOT })}
        on={site.consent}
        disabled={!admin}
        busy={save.isPending}
        onChange={(consent) => save.mutate(consent)}
      />
    </Section>
  );
}
