import type { RedactedKind, Redaction } from '@foyer/protocol';
import { MESSAGE_MAX } from '@foyer/protocol/values/bounds';
import { redact, redactsAnything } from '@foyer/protocol/values/redaction/redact';
import { Info } from 'lucide-react';
import { useState } from 'react';
import { useMay, useMe } from '../../../desk/DeskContext.tsx';
import { CheckField, TextField } from '../../../ui/forms/Field.tsx';
import { Page, Section } from '../../../ui/Page.tsx';
import { Callout } from '../../../ui/States.tsx';
import { AdminOnly } from '../AdminOnly.tsx';
import { SettingsForm } from '../SettingsForm.tsx';
import { useSiteForm } from '../use-site-form.ts';
import { PatternList } from './PatternList.tsx';
import { t } from './t.ts';

const KINDS = [
  { kind: 'card', hint: 'card_hint' },
  { kind: 'iban', hint: 'iban_hint' },
  { kind: 'password', hint: 'password_hint' },
] as const;

/** What is redacted in visitors' and customers' text before it is stored. */
export function RedactionSettings() {
  const { site } = useMe();
  const admin = useMay('site');
  const form = useSiteForm({
    stored: site.redaction,
    input: (redaction) => ({ redaction }),
    path: 'redaction',
    done: t('saved'),
  });
  const { kinds, patterns } = form.values;
  const choose = (kind: RedactedKind, on: boolean): void =>
    form.set({ kinds: on ? [...kinds, kind] : kinds.filter((one) => one !== kind) });
  return (
    <Page place="settings redaction" title={t('title')} intro={t('intro')}>
      <AdminOnly may="site">
        <SettingsForm form={form} failure={t('failed')}>
          <Section title={t('kinds')}>
            <div className="space-y-3">
              {KINDS.map(({ kind, hint }) => (
                <CheckField
                  key={kind}
                  label={t(kind)}
                  hint={t(hint)}
                  checked={kinds.includes(kind)}
                  onChange={(event) => choose(kind, event.target.checked)}
                />
              ))}
            </div>
          </Section>
          <Section title={t('patterns')} intro={t('patterns_intro')}>
            <PatternList
              patterns={patterns}
              issue={form.issue('redaction.patterns')}
              onChange={(next) => form.set({ patterns: next })}
            />
          </Section>
          {redactsAnything(form.values) ? <Callout icon={<Info aria-hidden />}>{t('typing')}</Callout> : null}
        </SettingsForm>
        {admin ? <TryIt rules={form.values} /> : null}
      </AdminOnly>
    </Page>
  );
}

/** Shows what would be stored of a message, with rules that aren't saved yet. */
function TryIt({ rules }: { rules: Redaction }) {
  const [text, setText] = useState('');
  return (
    <div className="mt-10">
      <Section title={t('try')} intro={t('try_intro')}>
        <TextField
          label={t('try_text')}
          placeholder={t('try_example')}
          maxLength={MESSAGE_MAX}
          frame="mb-3"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {text === '' ? null : (
          <>
            <p className="text-soft">{t('try_shown')}</p>
            <output className="wrap-anywhere">{redact(text, rules)}</output>
          </>
        )}
      </Section>
    </div>
  );
}
