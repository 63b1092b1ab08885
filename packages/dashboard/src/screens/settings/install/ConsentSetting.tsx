import { useMay, useMe } from '../../../desk/DeskContext.tsx';
import { tCommon } from '../../../t-common.ts';
import { Toggle } from '../../../ui/forms/Toggle.tsx';
import { Section } from '../../../ui/Page.tsx';
import { useSiteChange } from '../use-site-form.ts';
import { t } from './t.ts';

const BOOT = "svc('boot')";

/** Whether pages wait for consent, and whether they report live visitors; saved immediately. */
export function ConsentSetting() {
  const { site } = useMe();
  const admin = useMay('site');
  const save = useSiteChange({ done: () => t('saved'), failed: tCommon('not_saved') });
  return (
    <Section title={t('privacy')} intro={t('privacy_intro')}>
      <div className="grid gap-5">
        <Toggle
          label={t('consent')}
          hint={t('consent_hint', { code: BOOT })}
          on={site.consent}
          disabled={!admin}
          busy={save.isPending}
          onChange={(consent) => save.mutate({ consent })}
        />
        <Toggle
          label={t('live')}
          hint={t('live_hint')}
          on={site.live_visitors}
          disabled={!admin}
          busy={save.isPending}
          onChange={(live_visitors) => save.mutate({ live_visitors })}
        />
      </div>
    </Section>
  );
}
