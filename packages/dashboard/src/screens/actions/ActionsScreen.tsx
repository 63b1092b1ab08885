import type { Action } from '@foyer/protocol';
import { ACTIONS_MAX } from '@foyer/protocol/values/bounds';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, ScrollText, Trash2, Workflow } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api.ts';
import { useMay } from '../../desk/DeskContext.tsx';
import { tCommon } from '../../t-common.ts';
import { buttonLook, IconButton } from '../../ui/Button.tsx';
import { ConfirmAction } from '../../ui/ConfirmAction.tsx';
import { cx, LINE } from '../../ui/classes.ts';
import { Page, Rows, Section } from '../../ui/Page.tsx';
import { Badge, Empty } from '../../ui/States.tsx';
import { toast } from '../../ui/toasts/toast-store.ts';
import { Waiting } from '../../ui/Waiting.tsx';
import { KnowledgeTabs } from '../knowledge/KnowledgeTabs.tsx';
import { actionsQuery } from './action-queries.ts';
import { stepSentence } from './steps.ts';
import { t } from './t.ts';

/** What the bot can do for visitors besides answering them. */
export function ActionsScreen() {
  const admin = useMay('bot');
  const { data, error, refetch } = useQuery(actionsQuery);
  const isFull = (data?.length ?? 0) >= ACTIONS_MAX;
  const create =
    admin && !isFull ? (
      <Link to="/knowledge/actions/new" className={buttonLook('primary')}>
        <Plus aria-hidden className="size-4" />
        {t('new')}
      </Link>
    ) : null;
  return (
    <Page place="actions" title={tCommon('nav_knowledge')} tabs={<KnowledgeTabs />}>
      <Section
        title={t('title')}
        intro={admin ? t('intro') : t('intro_agents')}
        actions={
          <>
            <Link to="/knowledge/actions/log" className={buttonLook()}>
              <ScrollText aria-hidden className="size-4" />
              {t('log')}
            </Link>
            {data && data.length > 0 ? create : null}
          </>
        }
      >
        {!data ? (
          <Waiting error={error} retry={refetch} failed={t('failed')} rows={3} />
        ) : data.length === 0 ? (
          <Empty icon={<Workflow />} title={t('empty')} action={create}>
            {t('empty_hint')}
          </Empty>
        ) : (
          <Rows label={t('title')}>
            {data.map((action) => (
              <ActionRow key={action.id} action={action} admin={admin} />
            ))}
          </Rows>
        )}
      </Section>
    </Page>
  );
}

function ActionRow({ action, admin }: { action: Action; admin: boolean }) {
  const { id, name, label, verified, enabled, steps } = action;
  const client = useQueryClient();
  const [deleting, setDeleting] = useState(false);
  const refresh = () => client.invalidateQueries({ queryKey: actionsQuery.queryKey });
  return (
    <li className="flex min-h-14 items-start gap-2 py-2 ps-4 pe-2">
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2">
          {admin ? (
            <Link
              to="/knowledge/actions/$actionId"
              params={{ actionId: String(id) }}
              className={cx(LINE, 'font-medium hover:underline')}
            >
              <bdi>{name}</bdi>
            </Link>
          ) : (
            <span className={cx(LINE, 'font-medium')}>
              <bdi>{name}</bdi>
            </span>
          )}
          {verified ? <Badge>{t('verified_badge')}</Badge> : null}
          {enabled ? null : <Badge tone="warn">{t('off')}</Badge>}
        </p>
        <p className="wrap-anywhere text-soft">{t('button_named', { label })}</p>
        <details className="mt-1 text-soft">
          <summary className="cursor-pointer text-sm">{t('steps_count', { count: steps.length })}</summary>
          <ol className="wrap-anywhere mt-1 list-inside list-decimal space-y-0.5 text-sm">
            {steps.map((step) => (
              <li key={step.id}>
                <bdi>{stepSentence(step, steps)}</bdi>
              </li>
            ))}
          </ol>
        </details>
      </div>
      {admin ? (
        <IconButton label={t('delete_named', { name })} onClick={() => setDeleting(true)}>
          <Trash2 aria-hidden className="size-4" />
        </IconButton>
      ) : null}
      <ConfirmAction
        open={deleting}
        onClose={() => setDeleting(false)}
        title={t('delete_question', { name })}
        action={t('delete')}
        run={() => call('actions.delete', { id })}
        onDone={async () => {
          await refresh();
          toast.success(t('deleted', { name }));
        }}
      >
        {t('delete_hint')}
      </ConfirmAction>
    </li>
  );
}
