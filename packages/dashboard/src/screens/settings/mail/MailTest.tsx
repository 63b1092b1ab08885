import { useMutation } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { call } from '../../../api.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { Section } from '../../../ui/Page.tsx';
import { t } from './t.ts';

/** The mail server's own response. */
export function MailTest() {
  const test = useMutation({ mutationFn: () => call('mail.test', {}) });
  return (
    <Section title={t('test_title')} intro={t('test_intro')}>
      <Button
        icon={<Send aria-hidden className="size-4" />}
        busy={test.isPending}
        onClick={() => test.mutate()}
      >
        {t('test')}
      </Button>
      <div role="status" className="mt-3">
        {test.data?.sent ? <p>{t('test_sent', { to: test.data.to })}</p> : null}
        {test.data && !test.data.sent ? (
          <>
            <p>{t('test_failed', { to: test.data.to })}</p>
            <p className="wrap-anywhere mt-1 rounded-lg border bg-sunken p-3 font-mono text-xs" dir="auto">
              {test.data.error}
            </p>
          </>
        ) : null}
      </div>
      {test.error ? <ErrorNote error={test.error} title={t('test_error')} className="mt-3" /> : null}
    </Section>
  );
}
