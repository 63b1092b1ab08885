import type { OutputOf } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, UserCog } from 'lucide-react';
import { useState } from 'react';
import { useIsAdmin } from '../../../desk/DeskContext.tsx';
import { agentsQuery } from '../../../queries.ts';
import { Button, buttonLook } from '../../../ui/Button.tsx';
import { Page, Rows, Section } from '../../../ui/Page.tsx';
import { Callout } from '../../../ui/States.tsx';
import { Waiting } from '../../../ui/Waiting.tsx';
import { AgentRow } from './AgentRow.tsx';
import { InvitationRow } from './InvitationRow.tsx';
import { InviteDialog, LinkDialog } from './InviteDialog.tsx';
import { TwoFactorRule } from './TwoFactorRule.tsx';
import { t } from './t.ts';

const sizeWords = (count: number, limit: number | null): string =>
  limit === null ? t('intro', { count }) : t('intro_limit', { count, limit });

/** The agents of this desk. */
export function AgentSettings() {
  const { data, error, refetch } = useQuery(agentsQuery);
  const [inviting, setInviting] = useState(false);
  const admin = useIsAdmin();
  const limit = data?.agent_limit ?? null;
  const isFull = data !== undefined && limit !== null && data.agents.length >= limit;
  return (
    <Page
      place="settings agents"
      title={t('title')}
      intro={data ? sizeWords(data.agents.length, data.agent_limit) : undefined}
      actions={
        !admin ? null : isFull ? (
          <Link to="/settings/plan" className={buttonLook()}>
            {t('full_see')}
          </Link>
        ) : (
          <Button
            look="primary"
            icon={<Plus aria-hidden className="size-4" />}
            onClick={() => setInviting(true)}
          >
            {t('invite')}
          </Button>
        )
      }
    >
      {data ? (
        <>
          {admin && isFull ? (
            <Callout tone="plain" icon={<UserCog aria-hidden />}>
              <p className="font-medium">{t('full')}</p>
              <p>{t('full_hint', { count: limit })}</p>
            </Callout>
          ) : null}
          <TwoFactorRule />
          <Lists {...data} />
        </>
      ) : (
        <Waiting error={error} retry={refetch} failed={t('failed')} rows={3} face />
      )}
      {inviting ? <InviteDialog onClose={() => setInviting(false)} /> : null}
    </Page>
  );
}

function Lists({
  agents,
  invitations,
  accepted_invitations: accepted,
}: Pick<OutputOf<'agents.list'>, 'agents' | 'invitations' | 'accepted_invitations'>) {
  const [resent, setResent] = useState<OutputOf<'agents.invite'> | null>(null);
  const all = [...invitations, ...accepted];
  return (
    <>
      <Section title={t('agents')}>
        <Rows label={t('agents')}>
          {agents.map((agent) => (
            <AgentRow key={agent.id} agent={agent} alone={agents.length === 1} />
          ))}
        </Rows>
      </Section>
      {all.length > 0 ? (
        <Section title={t('invitations')}>
          <Rows label={t('invitations')}>
            {all.map((invitation) => (
              <InvitationRow key={invitation.id} invitation={invitation} onResent={setResent} />
            ))}
          </Rows>
        </Section>
      ) : null}
      {resent ? (
        <LinkDialog invitation={resent.invitation} url={resent.url} onClose={() => setResent(null)} />
      ) : null}
    </>
  );
}
