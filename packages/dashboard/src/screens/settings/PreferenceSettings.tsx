import { DESK_LANGUAGES } from '@foyer/protocol/values/languages';
import { useChosenLanguage } from '../../desk/chosen-language.ts';
import {
  setAfterDone,
  setDensity,
  setTheme,
  useAfterDone,
  useDensity,
  useTheme,
} from '../../desk/preferences.ts';
import { presenceChoices, useChosenPresence } from '../../desk/presence.ts';
import { languageName } from '../../language-name.ts';
import { Segments } from '../../ui/forms/Segments.tsx';
import { Page, Section } from '../../ui/Page.tsx';
import { t } from './t.ts';

/** The desk's language, and its look in this browser. */
export function PreferenceSettings() {
  const theme = useTheme();
  const after = useAfterDone();
  const density = useDensity();
  const [language, speakFromNow] = useChosenLanguage();
  const [presence, choose] = useChosenPresence();
  return (
    <Page place="settings preferences" title={t('preferences_title')} intro={t('preferences_intro')}>
      <Section title={t('desk_language')} intro={t('desk_language_intro')}>
        <Segments
          label={t('desk_language')}
          value={language ?? 'auto'}
          options={[
            { value: 'auto', label: t('desk_language_auto') },
            ...DESK_LANGUAGES.map((value) => ({ value, label: languageName(value) })),
          ]}
          onChange={(value) => speakFromNow(value === 'auto' ? null : value)}
        />
      </Section>
      <Section title={t('presence')} intro={t('presence_intro')}>
        <Segments label={t('presence')} value={presence} options={presenceChoices()} onChange={choose} />
      </Section>
      <Section title={t('after_done')} intro={t('after_done_intro')}>
        <Segments
          label={t('after_done')}
          value={after}
          options={[
            { value: 'stay', label: t('after_done_stay') },
            { value: 'next', label: t('after_done_next') },
          ]}
          onChange={setAfterDone}
        />
      </Section>
      <Section title={t('density')} intro={t('density_intro')}>
        <Segments
          label={t('density')}
          value={density}
          options={[
            { value: 'comfortable', label: t('density_comfortable') },
            { value: 'compact', label: t('density_compact') },
          ]}
          onChange={setDensity}
        />
      </Section>
      <Section title={t('appearance')}>
        <Segments
          label={t('appearance')}
          value={theme}
          options={[
            { value: 'auto', label: t('appearance_auto') },
            { value: 'light', label: t('appearance_light') },
            { value: 'dark', label: t('appearance_dark') },
          ]}
          onChange={setTheme}
        />
      </Section>
    </Page>
  );
}
