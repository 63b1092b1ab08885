import { type ReactNode, useEffect, useRef } from 'react';
import { FormError } from '../../forms/FormError.tsx';
import { LeaveGuard } from '../../forms/LeaveGuard.tsx';
import type { FormState } from '../../forms/use-form.ts';
import { Button } from '../../ui/Button.tsx';
import { t } from './t.ts';

interface SettingsFormProps {
  form: FormState;
  /** What failed, as the title of an error. */
  failure: string;
  children: ReactNode;
}

/** A page's settings with "Save" and "Discard changes"; asks before leaving with unsaved changes. */
export function SettingsForm({ form, failure, children }: SettingsFormProps) {
  const { dirty, saving } = form;
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // The invalid field may be far above the button.
    if (!saving) element.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [saving]);
  return (
    <form ref={element} onSubmit={form.submit}>
      {children}
      <FormError form={form} title={failure} className="mt-6" />
      <div className="mt-8 flex items-center gap-3">
        <Button type="submit" look="primary" disabled={!dirty} busy={saving}>
          {saving ? t('saving') : t('save')}
        </Button>
        {dirty ? (
          <Button look="quiet" onClick={form.discard}>
            {t('undo')}
          </Button>
        ) : null}
        <LeaveGuard dirty={dirty} />
      </div>
    </form>
  );
}
