import type { TicketDetail, TicketPriority } from '@foyer/protocol';
import { TICKET_PRIORITIES } from '@foyer/protocol/values/wire-names';
import { useQuery } from '@tanstack/react-query';
import { useMay, useMe } from '../../../desk/DeskContext.tsx';
import { activeTeams, agentsQuery, teamsQuery } from '../../../queries.ts';
import { Button } from '../../../ui/Button.tsx';
import { SelectField } from '../../../ui/forms/Field.tsx';
import { Part } from '../PaneParts.tsx';
import { TagEditor } from '../TagEditor.tsx';
import { t as tInbox } from '../t.ts';
import { t } from './t.ts';
import { nextStatuses, useTicketFields } from './ticket-actions.ts';
import { priorityWord, statusWord } from './ticket-words.ts';

/** Status, priority, assignee and tags of a ticket. Each change is saved at once. */
export function TicketProperties({ ticket }: { ticket: TicketDetail }) {
  const { setStatus, setPriority, assign, setTeam, setTags } = useTicketFields(ticket);
  const nextOnes = nextStatuses(ticket.status);
  return (
    <Part title={tInbox('ticket')}>
      <fieldset disabled={!useMay('answer')} className="space-y-2">
        <SelectField
          beside
          label={tInbox('status')}
          disabled={ticket.status === 'closed'}
          value={ticket.status}
          onChange={(event) => {
            const status = nextOnes.find((one) => one === event.target.value);
            if (status) setStatus(status);
          }}
          options={[...new Set([ticket.status, ...nextOnes])].map((status) => ({
            value: status,
            label: statusWord(status),
          }))}
        />
        <SelectField
          beside
          label={tInbox('priority')}
          value={ticket.priority}
          onChange={(event) => setPriority(event.target.value as TicketPriority)}
          options={TICKET_PRIORITIES.map((value) => ({ value, label: priorityWord(value) }))}
        />
        <AssigneeField assignee={ticket.assignee} onAssign={assign} />
        <TeamField team={ticket.team} onChange={setTeam} />
        <div className="grid grid-cols-[5.5rem_1fr] items-start pt-1">
          <p className="pt-0.5 text-soft">{tInbox('tags')}</p>
          <TagEditor tags={ticket.tags} onChange={setTags} />
        </div>
      </fieldset>
    </Part>
  );
}

interface TeamFieldProps {
  team: TicketDetail['team'];
  onChange: (team: TicketDetail['team']) => void;
}

/** Sites without teams don't show it. */
function TeamField({ team, onChange }: TeamFieldProps) {
  const teams = activeTeams(useQuery(teamsQuery).data);
  // An archived team keeps the work that it has.
  const offered = team && !teams.some(({ id }) => id === team.id) ? [team, ...teams] : teams;
  if (offered.length === 0) return null;
  return (
    <SelectField
      beside
      label={tInbox('team')}
      value={team?.id ?? ''}
      onChange={({ target }) => onChange(offered.find(({ id }) => String(id) === target.value) ?? null)}
      any={tInbox('team_none')}
      options={offered.map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}

interface AssigneeFieldProps {
  assignee: TicketDetail['assignee'];
  onAssign: (id: number | null, name: string) => void;
}

function AssigneeField({ assignee, onAssign }: AssigneeFieldProps) {
  const { agent: me } = useMe();
  const agents = useQuery(agentsQuery).data?.agents ?? [];
  const assignTo = (id: number | null): void => {
    if (id === (assignee?.id ?? null)) return;
    onAssign(id, agents.find((agent) => agent.id === id)?.name ?? '');
  };
  return (
    <div>
      <SelectField
        beside
        label={tInbox('assignee')}
        value={assignee?.id ?? ''}
        onChange={(event) => assignTo(event.target.value === '' ? null : Number(event.target.value))}
        any={tInbox('nobody')}
        options={[
          // A removed agent may still be the assignee.
          ...(assignee && !agents.some(({ id, can_answer }) => can_answer && id === assignee.id)
            ? [assignee]
            : []),
          ...agents.filter(({ can_answer }) => can_answer),
        ].map(({ id, name }) => ({ value: id, label: id === me.id ? tInbox('agent_me', { name }) : name }))}
      />
      {assignee?.id === me.id ? null : (
        <Button small look="quiet" className="ms-19 mt-1" onClick={() => assignTo(me.id)}>
          {t('assign_me')}
        </Button>
      )}
    </div>
  );
}
