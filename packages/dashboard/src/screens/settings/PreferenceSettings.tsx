import { DESK_LANGUAGES } from '@foyer/protocol/languages';
import { Play } from 'lucide-react';
import { useState } from 'react';
import { chime, unlockSound } from '../../desk/chime.ts';
import { useChosenLanguage } from '../../desk/chosen-language.ts';
import { setSound, setTheme, useSound, useTheme } from '../../desk/preferences.ts';
import { presenceChoices, useChosenPresence } from '../../desk/presence.ts';
import { languageName } from '../../language-name.ts';
import { Button } from '../../ui/Button.tsx';
import { Page, Section } from '../../ui/Page.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { Toggle } from '../../ui/Toggle.tsx';
import { t } from './t.ts';

const supported = 'Notification' in window;

/** What the desk speaks, and how it looks and sounds in this browser. */
export function PreferenceSettings() {
  const theme = useTheme();
  const sound = useSound();
  const [language, speakFromNow] = useChosenLanguage();
  const [presence, choose] = useChosenPresence();
  const [permission, setPermission] = useState(supported ? Notification.permission : 'denied');
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
      <Section title={t('sound')}>
        <div className="space-y-4">
          <Toggle label={t('chime')} hint={t('chime_hint')} on={sound} onChange={setSound} />
          <Button
            small
            icon={<Play aria-hidden className="size-4" />}
            onClick={() => {
              unlockSound();
              chime();
            }}
          >
            {t('chime_listen')}
          </Button>
        </div>
      </Section>
      <Section title={t('notifications')} intro={t('notifications_intro')}>
        {permission === 'granted' ? (
          <p className="text-good-text">{t('notifications_on')}</p>
        ) : permission === 'denied' ? (
          <p className="text-soft">{supported ? t('notifications_blocked') : t('notifications_none')}</p>
        ) : (
          <Button onClick={() => void Notification.requestPermission().then(setPermission)}>
            {t('notifications_turn_on')}
          </Button>
        )}
      </Section>
    </Page>
  );
}
