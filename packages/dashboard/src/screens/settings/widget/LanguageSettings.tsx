import { LANGUAGES, type Language } from '@foyer/protocol/values/languages';
import { languageName } from '../../../language-name.ts';
import { CheckField, SelectField } from '../../../ui/forms/Field.tsx';
import { Toggle } from '../../../ui/forms/Toggle.tsx';
import { t } from './t.ts';

interface LanguageSettingsProps {
  language: Language;
  /** Empty: all. */
  languages: Language[];
  disabled: boolean;
  onChange: (change: { language?: Language; languages?: Language[] }) => void;
}

/** The widget's languages, and the one for visitors who speak none of them. */
export function LanguageSettings({ language, languages, disabled, onChange }: LanguageSettingsProps) {
  const spoken = languages.length > 0 ? languages : LANGUAGES;
  const toggle = (one: Language, on: boolean): void =>
    onChange({ languages: LANGUAGES.filter((other) => (other === one ? on : languages.includes(other))) });
  return (
    <div className="space-y-4">
      <SelectField
        label={t('otherwise')}
        hint={t('otherwise_hint')}
        frame="max-w-60"
        value={language}
        onChange={(event) =>
          onChange({ language: LANGUAGES.find((one) => one === event.target.value) ?? language })
        }
        options={LANGUAGES.map((one) => ({
          value: one,
          label: languageName(one),
          disabled: !spoken.includes(one),
        }))}
      />
      <Toggle
        label={t('all_languages')}
        hint={t('all_languages_hint')}
        on={languages.length === 0}
        disabled={disabled}
        onChange={(all) => onChange({ languages: all ? [] : [language] })}
      />
      {languages.length > 0 ? (
        <fieldset className="grid grid-cols-2 gap-2 sm:grid-cols-3">
          <legend className="sr-only">{t('languages_legend')}</legend>
          {LANGUAGES.map((one) => (
            <CheckField
              key={one}
              label={<span lang={one}>{languageName(one)}</span>}
              checked={languages.includes(one)}
              // The default language is always among them.
              disabled={one === language}
              onChange={(event) => toggle(one, event.target.checked)}
            />
          ))}
        </fieldset>
      ) : null}
    </div>
  );
}
