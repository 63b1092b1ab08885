import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { call } from '../../../api.ts';
import { buttonLook } from '../../../ui/Button.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { Page } from '../../../ui/Page.tsx';
import { Callout } from '../../../ui/States.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { Waiting } from '../../../ui/Waiting.tsx';
import { mailboxesQuery } from './mailbox-queries.ts';
import { SignInButton } from './SignIn.tsx';
import { t } from './t.ts';

const BACK = '/settings/mailboxes';

/** The parameters that a provider added to the address: a code, or why there is none. */
function readReturn(search: string) {
  const given = new URLSearchParams(search);
  const state = given.get('state') ?? '';
  const id = /^([1-9]\d{0,14})\./.exec(state)?.[1];
  const error = /^[a-z_]{1,40}$/.exec(given.get('error') ?? '')?.[0];
  return { id: id === undefined ? undefined : Number(id), state, code: given.get('code'), error };
}

/** The target of a provider's redirect: completes the sign-in, and continues to the mailbox. */
export function MailboxSignIn() {
  // The address changes as soon as this page is left.
  const [{ id, state, code, error }] = useState(() => readReturn(window.location.search));
  const client = useQueryClient();
  const navigate = useNavigate();
  const isComplete = id !== undefined && code !== null && error === undefined;
  // A code works once.
  const finish = useQuery({
    queryKey: ['mailbox-sign-in', state],
    queryFn: () => call('mailboxes.finish_sign_in', { id: id ?? 0, code: code ?? '', state }),
    enabled: isComplete,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const { data } = finish;
  useEffect(() => {
    if (!data) return;
    void client.invalidateQueries({ queryKey: mailboxesQuery.queryKey });
    toast.success(t('sign_in_done', { address: data.address }));
    const params = { mailboxId: String(data.id) };
    void navigate({ to: '/settings/mailboxes/$mailboxId', params, replace: true });
  }, [data, client, navigate]);
  return (
    <Page back={{ to: BACK, label: t('title') }} place="mailbox sign-in" title={t('sign_in_title')}>
      {finish.error ? (
        <Ended id={id}>
          <ErrorNote error={finish.error} title={t('sign_in_failed')} />
        </Ended>
      ) : isComplete ? (
        <Waiting error={null} retry={() => undefined} failed="" height="h-24" />
      ) : (
        <Ended id={id}>
          <Callout tone="warn" icon={<TriangleAlert aria-hidden />}>
            {error === undefined
              ? t('sign_in_incomplete')
              : error === 'access_denied'
                ? t('sign_in_denied')
                : t('sign_in_refused', { error })}
          </Callout>
        </Ended>
      )}
    </Page>
  );
}

/** What went wrong, and what to do next. */
function Ended({ id, children }: { id: number | undefined; children: ReactNode }) {
  const mailbox = useQuery(mailboxesQuery).data?.items.find((one) => one.id === id);
  return (
    <div className="max-w-xl space-y-4">
      {children}
      {mailbox && mailbox.sign_in !== 'password' ? (
        <div className="flex flex-wrap gap-3">
          <SignInButton id={mailbox.id} provider={mailbox.sign_in} isAgain isMain />
          <Link
            to="/settings/mailboxes/$mailboxId"
            params={{ mailboxId: String(mailbox.id) }}
            className={buttonLook()}
          >
            {t('sign_in_back', { address: mailbox.address })}
          </Link>
        </div>
      ) : null}
    </div>
  );
}
