import type { Team } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, UsersRound } from 'lucide-react';
import { useMay } from '../../../desk/DeskContext.tsx';
import { teamsQuery } from '../../../queries.ts';
import { buttonLook } from '../../../ui/Button.tsx';
import { cx, LINE } from '../../../ui/classes.ts';
import { Page, Rows, Section } from '../../../ui/Page.tsx';
import { Empty } from '../../../ui/States.tsx';
import { Waiting } from '../../../ui/Waiting.tsx';
import { AdminOnly } from '../AdminOnly.tsx';
import { TeamMark } from './TeamMark.tsx';
import { t } from './t.ts';

const NewTeam = () => (
  <Link to="/settings/teams/new" className={buttonLook('primary')}>
    <Plus aria-hidden className="size-4" />
    {t('new')}
  </Link>
);

/** The site's teams, and those that are archived. */
export function TeamsSettings() {
  const admin = useMay('workflow');
  const { data, error, refetch } = useQuery(teamsQuery);
  const active = data?.items.filter((team) => team.archived_utc === null) ?? [];
  const archived = data?.items.filter((team) => team.archived_utc !== null) ?? [];
  return (
    <Page
      place="settings teams"
      title={t('title')}
      intro={t('intro')}
      actions={admin && active.length > 0 ? <NewTeam /> : null}
    >
      {!data ? (
        <Waiting error={error} retry={refetch} failed={t('failed')} rows={3} />
      ) : (
        <AdminOnly may="workflow">
          {active.length === 0 ? (
            <Empty icon={<UsersRound />} title={t('none')} action={admin ? <NewTeam /> : null}>
              {t('none_hint')}
            </Empty>
          ) : (
            <TeamRows label={t('title')} teams={active} />
          )}
          {archived.length > 0 ? (
            <Section title={t('archived')} intro={t('archived_intro')}>
              <TeamRows label={t('archived')} teams={archived} />
            </Section>
          ) : null}
        </AdminOnly>
      )}
    </Page>
  );
}

function TeamRows({ label, teams }: { label: string; teams: readonly Team[] }) {
  return (
    <Rows label={label}>
      {teams.map((team) => (
        <li key={team.id} className="hover:bg-hover">
          <Link
            to="/settings/teams/$teamId"
            params={{ teamId: String(team.id) }}
            className="-outline-offset-2 flex min-h-14 items-center gap-3 px-4 py-2"
          >
            <TeamMark emoji={team.emoji} />
            <span className="min-w-0 flex-1">
              <span className={cx(LINE, 'block font-medium')}>
                <bdi>{team.name}</bdi>
              </span>
              <span className="block truncate text-soft text-xs" dir="auto">
                {team.members.length === 0 ? t('nobody') : team.members.map(({ name }) => name).join(', ')}
              </span>
            </span>
            <span className="tabular shrink-0 text-soft text-xs">
              {t('members_count', { count: team.members.length })}
            </span>
          </Link>
        </li>
      ))}
    </Rows>
  );
}
