import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { teamsQuery } from '../../../queries.ts';
import { SelectField } from '../../../ui/forms/Field.tsx';
import { t } from '../t.ts';

/** The team whose chats and tickets a report counts. Sites without teams don't see it. */
export function TeamField({ team }: { team: number | undefined }) {
  const navigate = useNavigate({ from: '/reports' });
  const teams = useQuery(teamsQuery).data?.items ?? [];
  const shown = teams.filter(({ id, archived_utc }) => archived_utc === null || id === team);
  if (shown.length === 0 && team === undefined) return null;
  const choose = (value: string): void => {
    void navigate({
      search: ({ of_team: _, ...search }) => ({
        ...search,
        ...(value === '' ? {} : { of_team: Number(value) }),
      }),
    });
  };
  return (
    <SelectField
      bare
      label={t('column_team')}
      frame="w-44"
      value={team ?? ''}
      onChange={(event) => choose(event.target.value)}
      any={t('teams_all')}
      options={shown.map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}
