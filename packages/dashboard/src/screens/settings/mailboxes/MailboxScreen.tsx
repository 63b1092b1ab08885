import type { MailboxRecord } from '@foyer/protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Inbox, Info, Lock, RefreshCw, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { call } from '../../../api.ts';
import { useMay } from '../../../desk/DeskContext.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmAction } from '../../../ui/ConfirmAction.tsx';
import { Toggle } from '../../../ui/forms/Toggle.tsx';
import { Page } from '../../../ui/Page.tsx';
import { Callout, Empty } from '../../../ui/States.tsx';
import { Ago } from '../../../ui/Time.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { Waiting } from '../../../ui/Waiting.tsx';
import { DeleteRecord } from '../DeleteRecord.tsx';
import { SecretDialog } from '../SecretDialog.tsx';
import { MailboxForm } from './MailboxForm.tsx';
import { MailboxLine } from './MailboxState.tsx';
import { mailboxesQuery, providersQuery } from './mailbox-queries.ts';
import { inputOf, type MailboxValues, NEW_MAILBOX, valuesOf } from './mailbox-values.ts';
import { problemSaid } from './problem-words.ts';
import { goToSignIn, SignInState } from './SignIn.tsx';
import { t } from './t.ts';

const route = getRouteApi('/desk/settings/mailboxes/$mailboxId');
const BACK = '/settings/mailboxes';

interface MailboxPageProps {
  place: string;
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}

function MailboxPage({ children, ...rest }: MailboxPageProps) {
  const admin = useMay('email');
  return (
    <Page back={{ to: BACK, label: t('title') }} {...rest}>
      {admin ? children : <Callout icon={<Lock aria-hidden />}>{t('admins_only')}</Callout>}
    </Page>
  );
}

/** Sets up a mailbox. */
export function NewMailboxScreen() {
  return (
    <MailboxPage place="mailbox new" title={t('new')}>
      <NewMailbox />
    </MailboxPage>
  );
}

function NewMailbox() {
  const { data, error, refetch } = useQuery(providersQuery);
  if (!data) return <Waiting error={error} retry={refetch} failed={t('all_failed')} height="h-40" />;
  return <NewForm canSignIn={data.providers.filter(({ is_set_up }) => is_set_up).map(({ id }) => id)} />;
}

function NewForm({ canSignIn }: Pick<MailboxValues, 'canSignIn'>) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [shown, setShown] = useState<MailboxRecord | null>(null);
  const open = ({ id }: MailboxRecord): Promise<void> => {
    const params = { mailboxId: String(id) };
    return navigate({ to: '/settings/mailboxes/$mailboxId', params, ignoreBlocker: true });
  };
  const form = useForm({
    initial: { ...NEW_MAILBOX, canSignIn },
    save: (values) => call('mailboxes.create', { route: values.route, ...inputOf(values) }),
    onSaved: async (saved) => {
      await client.invalidateQueries({ queryKey: mailboxesQuery.queryKey });
      toast.success(t('created', { address: saved.address }));
      if (saved.http?.url) setShown(saved);
      else if (canSignIn.some((provider) => provider === saved.sign_in))
        await goToSignIn(saved.id).catch((error) => {
          toast.error(t('sign_in_failed'), error);
          return open(saved);
        });
      else await open(saved);
    },
  });
  return (
    <>
      <MailboxForm form={form} mailbox={null} />
      <UrlDialog url={shown?.http?.url ?? null} onClose={() => shown && void open(shown)} />
    </>
  );
}

/** One mailbox: whether it is read, and its settings. */
export function MailboxScreen() {
  const id = Number(route.useParams().mailboxId);
  const { data, error, refetch } = useQuery({ ...mailboxesQuery, enabled: useMay('email') });
  const mailbox = data?.items.find((one) => one.id === id);
  if (mailbox) return <Loaded key={id} mailbox={mailbox} />;
  return (
    <MailboxPage place="mailbox" title={t('title_one')}>
      {data ? (
        <Empty icon={<Inbox />} title={t('none_such')}>
          {t('none_such_hint')}
        </Empty>
      ) : (
        <Waiting error={error} retry={refetch} failed={t('all_failed')} height="h-40" />
      )}
    </MailboxPage>
  );
}

interface MailboxProps {
  mailbox: MailboxRecord;
}

function Loaded({ mailbox }: MailboxProps) {
  return (
    <MailboxPage
      place={`mailbox ${mailbox.id}`}
      title={mailbox.address}
      actions={
        <>
          {mailbox.route === 'http' ? <NewUrl mailbox={mailbox} /> : null}
          <DeleteMailbox mailbox={mailbox} />
        </>
      }
    >
      <Standing mailbox={mailbox} />
      <EditForm mailbox={mailbox} />
    </MailboxPage>
  );
}

/** The URL that a mail service posts to, which is shown only once. */
function UrlDialog({ url, onClose }: { url: string | null; onClose: () => void }) {
  return (
    <SecretDialog
      secret={url}
      title={t('url_title')}
      label={t('url_copy')}
      text={t('url_text')}
      onClose={onClose}
    />
  );
}

/** Replaces the URL of a mailbox that a mail service posts to. */
function NewUrl({ mailbox: { id } }: MailboxProps) {
  const [asking, setAsking] = useState(false);
  const [url, setUrl] = useState<string | null>(null);
  return (
    <>
      <Button icon={<RefreshCw aria-hidden className="size-4" />} onClick={() => setAsking(true)}>
        {t('url_new')}
      </Button>
      <ConfirmAction
        open={asking}
        onClose={() => setAsking(false)}
        title={t('url_ask')}
        action={t('url_new')}
        run={() => call('mailboxes.update', { id, http: { new_url: true } })}
        onDone={(saved) => {
          setAsking(false);
          setUrl(saved.http?.url ?? null);
        }}
      >
        {t('url_ask_text')}
      </ConfirmAction>
      <UrlDialog url={url} onClose={() => setUrl(null)} />
    </>
  );
}

/** Whether it is read and why not; pauses it. */
function Standing({ mailbox }: MailboxProps) {
  const { id, route: way, enabled, failing_since_utc, problem } = mailbox;
  const client = useQueryClient();
  const pause = useMutation({
    mutationFn: (on: boolean) => call('mailboxes.update', { id, enabled: on }),
    onSuccess: () => client.invalidateQueries({ queryKey: mailboxesQuery.queryKey }),
    onError: (error) => toast.error(t('not_saved'), error),
  });
  const isSignedIn = mailbox.sign_in === 'password' || mailbox.signed_in_utc !== null;
  const isFailing = enabled && failing_since_utc !== null && problem !== null;
  return (
    <div className="mb-8 max-w-xl space-y-4">
      {isFailing ? (
        <Callout tone="warn" icon={<TriangleAlert aria-hidden />}>
          <p className="font-medium">
            {t.rich('failing_title', { when: <Ago words utc={failing_since_utc} /> })}
          </p>
          <p className="wrap-anywhere" dir="auto">
            {problemSaid(problem)}
          </p>
          {way === 'imap' && isSignedIn ? <p className="mt-1 text-soft">{t('failing_hint')}</p> : null}
        </Callout>
      ) : null}
      <SignInState mailbox={mailbox} />
      <Sender mailbox={mailbox} />
      <div className="rounded-lg border p-4">
        <Toggle
          label={t(way === 'imap' ? 'read_mail' : 'accept_mail')}
          hint={enabled ? isFailing ? undefined : <MailboxLine mailbox={mailbox} /> : t(`paused_${way}`)}
          on={enabled}
          busy={pause.isPending}
          onChange={(on) => pause.mutate(on)}
        />
      </div>
    </div>
  );
}

/** Replies that don't come from the mailbox's own address. */
function Sender({ mailbox: { address, replies_from } }: MailboxProps) {
  if (replies_from === address) return null;
  return replies_from === null ? (
    <Callout tone="warn" icon={<TriangleAlert aria-hidden />}>
      {t('sent_by_nobody')}
    </Callout>
  ) : (
    <Callout icon={<Info aria-hidden />}>
      {t.rich('sent_from', { from: <bdi className="font-medium">{replies_from}</bdi> })}
    </Callout>
  );
}

function EditForm({ mailbox }: MailboxProps) {
  const client = useQueryClient();
  const { id } = mailbox;
  const form = useForm({
    stored: valuesOf(mailbox),
    save: (values) => call('mailboxes.update', { id, ...inputOf(values) }),
    onSaved: async () => {
      await client.invalidateQueries({ queryKey: mailboxesQuery.queryKey });
      toast.success(t('saved'));
    },
  });
  return <MailboxForm form={form} mailbox={mailbox} />;
}

function DeleteMailbox({ mailbox: { id, address } }: MailboxProps) {
  return (
    <DeleteRecord
      label={t('delete')}
      title={t('delete_ask', { address })}
      action={t('delete_action')}
      done={t('deleted', { address })}
      run={() => call('mailboxes.delete', { id })}
      back={BACK}
      listKey={mailboxesQuery.queryKey}
    >
      {t('delete_hint')}
    </DeleteRecord>
  );
}
