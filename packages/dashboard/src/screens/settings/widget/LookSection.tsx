import { GREETING_MAX, LAUNCHER_TEXT_MAX } from '@foyer/protocol/values/bounds';
import { useMay } from '../../../desk/DeskContext.tsx';
import { TextArea, TextField } from '../../../ui/forms/Field.tsx';
import { Segments } from '../../../ui/forms/Segments.tsx';
import { Toggle } from '../../../ui/forms/Toggle.tsx';
import { Section } from '../../../ui/Page.tsx';
import { ColorField } from './ColorField.tsx';
import { Logo } from './Logo.tsx';
import { t } from './t.ts';
import type { WidgetForm } from './widget-values.ts';

/** Colour, logo, corner, texts and sounds of the widget. */
export function LookSection({ form }: { form: WidgetForm }) {
  const admin = useMay('site');
  const { values, set } = form;
  return (
    <Section title={t('look')}>
      <div className="space-y-4">
        <ColorField color={values.color} error={form.issue('color')} onChange={(color) => set({ color })} />
        <Logo />
        <ThemeAndCorner form={form} />
        <TextField
          label={t('launcher')}
          hint={t('launcher_hint')}
          maxLength={LAUNCHER_TEXT_MAX}
          frame="max-w-80"
          {...form.text('launcher_text')}
        />
        <TextArea
          label={t('greeting')}
          hint={t('greeting_hint')}
          placeholder={t('greeting_default')}
          maxLength={GREETING_MAX}
          {...form.text('greeting')}
        />
        <Toggle
          label={t('sound')}
          hint={t('sound_hint')}
          on={values.sound}
          disabled={!admin}
          onChange={(sound) => set({ sound })}
        />
        <Toggle
          label={t('typing')}
          hint={t('typing_hint')}
          on={values.typing_preview}
          disabled={!admin}
          onChange={(typing_preview) => set({ typing_preview })}
        />
      </div>
    </Section>
  );
}

function ThemeAndCorner({ form }: { form: WidgetForm }) {
  const { values, set } = form;
  return (
    <>
      <Choice
        label={t('theme')}
        hint={t('theme_hint')}
        value={values.theme}
        options={[
          { value: 'auto', label: t('theme_auto') },
          { value: 'light', label: t('theme_light') },
          { value: 'dark', label: t('theme_dark') },
        ]}
        onChange={(theme) => set({ theme })}
      />
      <Choice
        label={t('corner')}
        value={values.position}
        options={[
          { value: 'left', label: t('left') },
          { value: 'right', label: t('right') },
        ]}
        onChange={(position) => set({ position })}
      />
    </>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  hint?: string;
  value: T;
  options: { value: T; label: string }[];
  onChange: (value: T) => void;
}

function Choice<T extends string>({ label, hint, ...rest }: ChoiceProps<T>) {
  return (
    <div>
      <p aria-hidden className="mb-1 font-medium">
        {label}
      </p>
      <Segments label={label} {...rest} />
      {hint ? <p className="mt-1 text-soft">{hint}</p> : null}
    </div>
  );
}
