import type { Team } from '@foyer/protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Archive, ArchiveRestore, UsersRound } from 'lucide-react';
import { call } from '../../../api.ts';
import { useMay } from '../../../desk/DeskContext.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { teamsQuery } from '../../../queries.ts';
import { Button } from '../../../ui/Button.tsx';
import { Page } from '../../../ui/Page.tsx';
import { Callout, Empty } from '../../../ui/States.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { Waiting } from '../../../ui/Waiting.tsx';
import { AdminOnly } from '../AdminOnly.tsx';
import { DeleteRecord } from '../DeleteRecord.tsx';
import { TeamForm } from './TeamForm.tsx';
import { t } from './t.ts';
import { inputOf, NEW_TEAM, valuesOf } from './team-values.ts';

const one = getRouteApi('/desk/settings/teams/$teamId');
const BACK = '/settings/teams';
const back = () => ({ to: BACK, label: t('title') }) as const;

/** Creates a team. */
export function NewTeamScreen() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({
    initial: NEW_TEAM,
    save: (values) => call('teams.create', inputOf(values)),
    onSaved: async (saved) => {
      await client.invalidateQueries({ queryKey: teamsQuery.queryKey });
      toast.success(t('created', { name: saved.name }));
      await navigate({ to: BACK, ignoreBlocker: true });
    },
  });
  return (
    <Page place="team new" title={t('new')} back={back()}>
      <AdminOnly may="workflow">
        <TeamForm form={form} isNew />
      </AdminOnly>
    </Page>
  );
}

/** Changes a team, archives or deletes it. */
export function TeamScreen() {
  const id = Number(one.useParams().teamId);
  const { data, error, refetch } = useQuery(teamsQuery);
  const team = data?.items.find((found) => found.id === id);
  if (team) return <OneTeam key={id} team={team} />;
  return (
    <Page place="team" title={t('edit_title')} back={back()}>
      {data ? (
        <Empty icon={<UsersRound />} title={t('none_such')}>
          {t('none_such_hint')}
        </Empty>
      ) : (
        <Waiting error={error} retry={refetch} failed={t('failed')} height="h-40" />
      )}
    </Page>
  );
}

function OneTeam({ team }: { team: Team }) {
  const admin = useMay('workflow');
  const client = useQueryClient();
  const form = useForm({
    stored: valuesOf(team),
    save: (values) => call('teams.update', { id: team.id, ...inputOf(values) }),
    onSaved: async () => {
      await client.invalidateQueries({ queryKey: teamsQuery.queryKey });
      toast.success(t('saved'));
    },
  });
  return (
    <Page
      place={`team ${team.id}`}
      title={team.name}
      back={back()}
      actions={admin ? <TeamActions team={team} /> : null}
    >
      <AdminOnly may="workflow">
        {team.archived_utc ? (
          <div className="mb-6">
            <Callout icon={<Archive aria-hidden />}>{t('archived_hint')}</Callout>
          </div>
        ) : null}
        <TeamForm form={form} />
      </AdminOnly>
    </Page>
  );
}

function TeamActions({ team: { id, name, archived_utc } }: { team: Team }) {
  const client = useQueryClient();
  const archive = useMutation({
    mutationFn: (archived: boolean) => call('teams.update', { id, archived }),
    onSuccess: async (_, archived) => {
      await client.invalidateQueries({ queryKey: teamsQuery.queryKey });
      toast.success(t(archived ? 'was_archived' : 'was_restored', { name }));
    },
    onError: (error) => toast.error(t('not_saved'), error),
  });
  return (
    <>
      <Button
        busy={archive.isPending}
        icon={
          archived_utc ? (
            <ArchiveRestore aria-hidden className="size-4" />
          ) : (
            <Archive aria-hidden className="size-4" />
          )
        }
        onClick={() => archive.mutate(archived_utc === null)}
      >
        {t(archived_utc ? 'restore' : 'archive')}
      </Button>
      <DeleteRecord
        label={t('delete')}
        title={t('delete_ask', { name })}
        action={t('delete_action')}
        done={t('deleted', { name })}
        run={() => call('teams.delete', { id })}
        back={BACK}
        listKey={teamsQuery.queryKey}
      >
        {t('delete_hint')}
      </DeleteRecord>
    </>
  );
}
