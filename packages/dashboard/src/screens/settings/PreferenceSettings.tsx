import { Play } from 'lucide-react';
import { useState } from 'react';
import { chime, unlockSound } from '../../desk/chime.ts';
import { setSound, setTheme, useSound, useTheme } from '../../desk/preferences.ts';
import { CHOICES, useChosenPresence } from '../../desk/presence.ts';
import { Button } from '../../ui/Button.tsx';
import { Page, Section } from '../../ui/Page.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { Toggle } from '../../ui/Toggle.tsx';

const supported = 'Notification' in window;

/** How the desk looks and sounds in this browser. */
export function PreferenceSettings() {
  const theme = useTheme();
  const sound = useSound();
  const [presence, choose] = useChosenPresence();
  const [permission, setPermission] = useState(supported ? Notification.permission : 'denied');
  return (
    <Page
      place="settings preferences"
      title="Appearance and sound"
      intro="Appearance, sound and notifications are this browser’s alone."
    >
      <Section
        title="Presence"
        intro="On every device, until you choose another. Who is away or invisible is given no chats; visitors are told only of who is online."
      >
        <Segments label="Presence" value={presence} options={CHOICES} onChange={choose} />
      </Section>
      <Section title="Appearance">
        <Segments
          label="Appearance"
          value={theme}
          options={[
            { value: 'auto', label: 'Like the system' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
          onChange={setTheme}
        />
      </Section>
      <Section title="Sound">
        <div className="space-y-4">
          <Toggle
            label="Chime"
            hint="When somebody begins to wait, and when one of your visitors answers while you look elsewhere."
            on={sound}
            onChange={setSound}
          />
          <Button
            small
            icon={<Play aria-hidden className="size-4" />}
            onClick={() => {
              unlockSound();
              chime();
            }}
          >
            Listen
          </Button>
        </div>
      </Section>
      <Section title="Notifications" intro="From your browser, while this tab is open but not in front.">
        {permission === 'granted' ? (
          <p className="text-good-text">
            They are on. To turn them off, use your browser’s settings for this page.
          </p>
        ) : permission === 'denied' ? (
          <p className="text-soft">
            {supported
              ? 'Your browser blocks them. Allow notifications for this page in its settings.'
              : 'This browser has none for pages like this one.'}
          </p>
        ) : (
          <Button onClick={() => void Notification.requestPermission().then(setPermission)}>
            Turn on notifications
          </Button>
        )}
      </Section>
    </Page>
  );
}
