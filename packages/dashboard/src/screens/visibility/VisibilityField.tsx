import type { Team } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { useIsAdmin, useMay, useMe } from '../../desk/DeskContext.tsx';
import { activeTeams, teamsQuery } from '../../queries.ts';
import { SelectField } from '../../ui/forms/Field.tsx';
import { t } from './t.ts';
import { EVERYONE, PRIVATE, type Seen } from './visibility.ts';

interface VisibilityFieldProps {
  value: Seen;
  /** Who sees it now: what is shared can't become private. Undefined for something new. */
  before?: Seen | undefined;
  onChange: (seen: Seen) => void;
  frame?: string;
}

/** The teams with which the agent may share: their own, and for admins all. */
function useSharedTeams(): Team[] {
  const { agent } = useMe();
  const isAdmin = useIsAdmin();
  const teams = activeTeams(useQuery(teamsQuery).data);
  return isAdmin ? teams : teams.filter(({ members }) => members.some(({ id }) => id === agent.id));
}

/** Chooses who sees a macro or view: the agent alone, a team or everyone. */
export function VisibilityField({ value, before, onChange, frame }: VisibilityFieldProps) {
  const mayShare = useMay('shared');
  const all = useQuery(teamsQuery).data?.items ?? [];
  const own = useSharedTeams();
  const teams = mayShare ? own : [];
  const shared = value.team_id;
  // An archived team gets nothing new, and keeps what it has.
  const kept = shared === null || teams.some(({ id }) => id === shared) ? [] : [shared];
  return (
    <SelectField
      label={t('visible_to')}
      {...(frame === undefined ? {} : { frame })}
      hint={t(HINTS[value.visibility])}
      value={value.team_id ?? value.visibility}
      onChange={({ target }) => onChange(seenIn(target.value))}
      options={[
        ...(before && before.visibility !== 'private' ? [] : [{ value: 'private', label: t('only_me') }]),
        ...teams.map(({ id, name }) => ({ value: id, label: name })),
        ...kept.map((id) => ({
          value: id,
          label: all.find((team) => team.id === id)?.name ?? t('team_gone'),
        })),
        ...(mayShare || value.visibility === 'everyone' ? [{ value: 'everyone', label: t('everyone') }] : []),
      ]}
    />
  );
}

const HINTS = { private: 'only_me_hint', team: 'team_hint', everyone: 'everyone_hint' } as const;

const seenIn = (chosen: string): Seen =>
  chosen === 'private'
    ? PRIVATE
    : chosen === 'everyone'
      ? EVERYONE
      : { visibility: 'team', team_id: Number(chosen) };
