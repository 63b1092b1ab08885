import type { MailSetup } from '@foyer/protocol';
import { MAIL_KINDS } from '@foyer/protocol/values/wire-names';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Info, Lock, MailCheck, TriangleAlert } from 'lucide-react';
import { useIsAdmin, useMay } from '../../../desk/DeskContext.tsx';
import { CopyText } from '../../../ui/Copy.tsx';
import { Page, Rows, Section } from '../../../ui/Page.tsx';
import { Badge, Callout } from '../../../ui/States.tsx';
import { Ago } from '../../../ui/Time.tsx';
import { Waiting } from '../../../ui/Waiting.tsx';
import { SiteSignature } from '../signature/Signature.tsx';
import { ChatEmails } from './ChatEmails.tsx';
import { MailServer } from './MailServer.tsx';
import { MailTest } from './MailTest.tsx';
import { mailQuery } from './mail-query.ts';
import { t } from './t.ts';

/** How the site sends email. */
export function MailScreen() {
  const admin = useMay('email');
  return (
    <Page place="settings mail" title={t('title')} intro={t('intro')}>
      {admin ? <Setup /> : <Callout icon={<Lock aria-hidden />}>{t('admins_only')}</Callout>}
    </Page>
  );
}

function Setup() {
  const isAdmin = useIsAdmin();
  const { data, error, refetch } = useQuery(mailQuery);
  if (!data) return <Waiting error={error} retry={refetch} failed={t('failed')} rows={6} />;
  return (
    <>
      <Standing setup={data} />
      {data.source === 'environment' ? null : isAdmin ? (
        <MailServer key={data.source} setup={data} />
      ) : (
        <Section title={t('server_title')}>
          <p className="text-soft">{t('server_admins')}</p>
        </Section>
      )}
      {data.source === null ? null : <MailTest />}
      {data.records.length > 0 ? <Records records={data.records} /> : null}
      <ChatEmails />
      <SiteSignature />
      <Mails />
      {data.source === null && data.failures.length === 0 ? null : <Failures failures={data.failures} />}
    </>
  );
}

function Standing({ setup: { source, server, from } }: { setup: MailSetup }) {
  if (!source || !server)
    return (
      <Callout tone="warn" icon={<TriangleAlert aria-hidden />}>
        {t('by_nobody')}
      </Callout>
    );
  const name = <bdi className="wrap-anywhere font-medium">{`${server.host}:${server.port}`}</bdi>;
  return (
    <Callout icon={source === 'site' ? <MailCheck aria-hidden /> : <Info aria-hidden />}>
      <p>{t.rich(source === 'site' ? 'by_site' : 'by_environment', { server: name })}</p>
      {from ? (
        <p className="mt-1">
          {t.rich('from', {
            address: <bdi className="wrap-anywhere font-medium">{from.address}</bdi>,
            mailboxes: (
              <Link to="/settings/mailboxes" className="text-accent-text underline">
                {t('mailboxes')}
              </Link>
            ),
          })}
        </p>
      ) : null}
    </Callout>
  );
}

function Records({ records }: Pick<MailSetup, 'records'>) {
  return (
    <Section title={t('records_title')} intro={t('records_intro')}>
      <Rows label={t('records_title')}>
        {records.map(({ kind, name, value }) => (
          <li key={kind} className="px-4 py-3">
            <h3 className="font-medium">{t(`record_${kind}`)}</h3>
            <p className="wrap-anywhere mt-1 font-mono text-xs" dir="ltr">
              {t('record_name', { name })}
            </p>
            {value === null ? null : <CopyText text={value} label={t('record_copy')} />}
            <p className="text-soft text-xs">{t(`record_${kind}_note`)}</p>
          </li>
        ))}
      </Rows>
    </Section>
  );
}

function Mails() {
  return (
    <Section title={t('mails_title')}>
      <Rows label={t('mails_title')}>
        {MAIL_KINDS.map((kind) => (
          <li key={kind} className="flex flex-wrap gap-x-4 px-4 py-2">
            <span className="min-w-0 flex-1 basis-48 font-medium">{t(`mail_${kind}`)}</span>
            <span className="min-w-0 flex-1 basis-48 text-soft">{t(`mail_${kind}_note`)}</span>
          </li>
        ))}
      </Rows>
    </Section>
  );
}

function Failures({ failures }: Pick<MailSetup, 'failures'>) {
  return (
    <Section title={t('failures_title')} intro={t('failures_intro')}>
      {failures.length === 0 ? (
        <p className="text-soft">{t('failures_none')}</p>
      ) : (
        <Rows label={t('failures_title')}>
          {failures.map((failure) => (
            <li key={failure.kind + failure.at_utc} className="px-4 py-2">
              <p className="flex flex-wrap items-center gap-x-2">
                <span className="font-medium">{t(`mail_${failure.kind}`)}</span>
                <Badge tone={failure.next_try_utc ? 'warn' : 'danger'}>
                  {failure.next_try_utc ? t('failure_next') : t('failure_end')}
                </Badge>
                <Ago words utc={failure.at_utc} className="text-soft text-xs" />
              </p>
              <p className="wrap-anywhere text-soft text-xs" dir="auto">
                {failure.error}
              </p>
            </li>
          ))}
        </Rows>
      )}
    </Section>
  );
}
