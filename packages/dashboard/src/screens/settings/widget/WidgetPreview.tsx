import type { PreviewMessage, SiteSettings as Site } from '@foyer/protocol';
import { isColor, textOn } from '@foyer/protocol/values/accent';
import { MessageCircle } from 'lucide-react';
import { useState } from 'react';
import { cx } from '../../../ui/classes.ts';
import { Segments } from '../../../ui/forms/Segments.tsx';
import { questionsOf, useAskableFields } from './asked-fields.ts';
import { PreviewFrame } from './PreviewFrame.tsx';
import { previewMessage } from './preview-frames.ts';
import { t } from './t.ts';
import type { WidgetValues } from './widget-values.ts';

type Device = 'desktop' | 'phone';
type Place = PreviewMessage['place'];

const PLACES: Place[] = ['home', 'chat'];

const systemTheme = (): 'light' | 'dark' =>
  matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';

/** The real widget with the settings of the form; it connects to nothing. */
export function WidgetPreview({ site, values }: { site: Site; values: WidgetValues }) {
  const [place, setPlace] = useState<Place>('home');
  const [device, setDevice] = useState<Device>('desktop');
  const [light, setLight] = useState(systemTheme);
  const theme = values.theme === 'auto' ? light : values.theme;
  const asks = values.pre_chat.length > 0;
  const shown = place === 'first' && !asks ? 'chat' : place;
  const color = isColor(values.color) ? values.color : site.color;
  const questions = questionsOf(values.pre_chat, useAskableFields());
  const message = previewMessage({ ...site, ...values, color, theme }, { place: shown, questions });
  return (
    <section aria-label={t('preview')} className="xl:sticky xl:top-4">
      <div className="mb-3 flex flex-wrap gap-2">
        <Segments
          label={t('part')}
          value={shown}
          options={(asks ? [...PLACES, 'first' as const] : PLACES).map((value) => ({
            value,
            label: t(`place_${value}`),
          }))}
          onChange={setPlace}
        />
        <Segments
          label={t('device')}
          value={device}
          options={[
            { value: 'desktop', label: t('desktop') },
            { value: 'phone', label: t('phone') },
          ]}
          onChange={setDevice}
        />
        {values.theme === 'auto' ? (
          <Segments
            label={t('system')}
            value={light}
            options={[
              { value: 'light', label: t('theme_light') },
              { value: 'dark', label: t('theme_dark') },
            ]}
            onChange={setLight}
          />
        ) : null}
      </div>
      <div
        className={cx(
          'flex flex-col gap-3 overflow-hidden rounded-lg border bg-sunken p-4',
          values.position === 'left' ? 'items-start' : 'items-end',
        )}
      >
        <PreviewFrame message={message} device={device} />
        {device === 'desktop' ? (
          <Launcher color={color} text={values.launcher_text} logo={site.logo_url} />
        ) : null}
      </div>
    </section>
  );
}

/** The button as the SDK draws it. */
function Launcher({ color, text, logo }: { color: string; text: string; logo: string | null }) {
  return (
    <span
      aria-hidden
      style={{ background: color, color: textOn(color) }}
      className={cx(
        'flex h-14 shrink-0 items-center justify-center gap-2 rounded-full font-semibold shadow-float',
        text ? (logo ? 'max-w-full ps-2 pe-5' : 'max-w-full px-5') : 'w-14',
      )}
    >
      {logo ? (
        <img src={logo} alt="" className="size-10 shrink-0 rounded-full object-contain" />
      ) : (
        <MessageCircle className="size-6 shrink-0" fill="currentColor" />
      )}
      {text ? <span className="truncate">{text}</span> : null}
    </span>
  );
}
