import type { Agent, Routing } from '@foyer/protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api.ts';
import { useMe } from '../../desk/DeskContext.tsx';
import { seenWord, useSeenPresence } from '../../desk/presence.ts';
import { languageName } from '../../language-name.ts';
import { agentsQuery } from '../../queries.ts';
import { Button } from '../../ui/Button.tsx';
import { cx, LINE } from '../../ui/classes.ts';
import { Face } from '../../ui/Face.tsx';
import { SelectField } from '../../ui/forms/Field.tsx';
import { Segments } from '../../ui/forms/Segments.tsx';
import { Toggle } from '../../ui/forms/Toggle.tsx';
import { Page, Rows, Section } from '../../ui/Page.tsx';
import { toast } from '../../ui/toasts/toast-store.ts';
import { Waiting } from '../../ui/Waiting.tsx';
import { AdminOnly } from './AdminOnly.tsx';
import { SkillsDialog } from './routing/SkillsDialog.tsx';
import { t as tSkills } from './routing/t.ts';
import { t } from './t.ts';
import { useSiteChange } from './use-site-form.ts';
import { withValue } from './with-value.ts';

const RETURNS_S = [60, 300, 600, 900, 1800, 3600, 14_400, 86_400];
const TICKET_FALLBACKS_S = [600, 1800, 3600, 14_400, 28_800, 86_400, 172_800, 259_200, 604_800];
const NEVER = 'never';
const LIMITS = [1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 100];
const TICKET_LIMITS = [1, 2, 3, 5, 8, 10, 15, 20, 30, 40, 50, 75, 100, 200, 500];

const lengthWords = (seconds: number): string => {
  if (seconds < 3600) return t('length_minutes', { number: seconds / 60 });
  if (seconds <= 86_400) return t('length_hours', { count: seconds / 3600 });
  return t('length_days', { count: seconds / 86_400 });
};

const useRoutingChange = () => useSiteChange({ done: () => t('routing_saved'), failed: t('routing_failed') });

interface MethodsProps {
  label: string;
  value: Routing;
  onChange: (method: Routing) => void;
}

/** The ways in which routing assigns. */
function Methods(props: MethodsProps) {
  return (
    <Segments
      {...props}
      options={[
        { value: 'manual', label: t('routing_manual') },
        { value: 'round_robin', label: t('routing_robin') },
        { value: 'least_busy', label: t('routing_least_busy') },
      ]}
    />
  );
}

/** How waiting chats are assigned, and when they are reassigned. */
export function RoutingSettings() {
  const { site } = useMe();
  const change = useRoutingChange();
  return (
    <Page place="settings routing" title={t('routing_title')} intro={t('routing_intro')}>
      <AdminOnly may="site">
        <Section title={t('routing_waiting')} intro={t(`routing_${site.routing}_hint`)}>
          <Methods
            label={t('routing_waiting')}
            value={site.routing}
            onChange={(routing) => change.mutate({ routing })}
          />
          <div className="mt-6">
            <Toggle
              label={t('routing_last')}
              hint={t('routing_last_hint')}
              on={site.last_agent_first}
              busy={change.isPending}
              onChange={(last_agent_first) => change.mutate({ last_agent_first })}
            />
          </div>
        </Section>
        <TicketRouting />
        <Waits />
        <Section title={t('routing_room')} intro={t('routing_room_intro')}>
          <AgentLimits />
        </Section>
      </AdminOnly>
    </Page>
  );
}

/** How tickets without an assignee get one. */
function TicketRouting() {
  const { site } = useMe();
  const change = useRoutingChange();
  return (
    <Section title={t('routing_tickets')} intro={t(`tickets_${site.ticket_routing}_hint`)}>
      <Methods
        label={t('routing_tickets')}
        value={site.ticket_routing}
        onChange={(ticket_routing) => change.mutate({ ticket_routing })}
      />
    </Section>
  );
}

/** After how long chats return to the queue, and chats and tickets are offered to everybody. */
function Waits() {
  const { site } = useMe();
  const change = useRoutingChange();
  return (
    <>
      <Section title={t('routing_gone')} intro={t('routing_gone_intro')}>
        <SelectField
          label={t('routing_return')}
          frame="max-w-60"
          value={site.return_chats_after_s}
          onChange={(event) => change.mutate({ return_chats_after_s: Number(event.target.value) })}
          options={withValue(RETURNS_S, site.return_chats_after_s).map((seconds) => ({
            value: seconds,
            label: lengthWords(seconds),
          }))}
        />
      </Section>
      <Section title={t('routing_teams')} intro={t('routing_teams_intro')}>
        <div className="flex flex-wrap gap-4">
          <Fallback
            label={t('routing_fallback')}
            value={site.team_fallback_after_s}
            choices={RETURNS_S}
            onChange={(team_fallback_after_s) => change.mutate({ team_fallback_after_s })}
          />
          <Fallback
            label={t('routing_fallback_tickets')}
            value={site.ticket_fallback_after_s}
            choices={TICKET_FALLBACKS_S}
            onChange={(ticket_fallback_after_s) => change.mutate({ ticket_fallback_after_s })}
          />
        </div>
      </Section>
    </>
  );
}

interface FallbackProps {
  label: string;
  /** Null: never. */
  value: number | null;
  choices: readonly number[];
  onChange: (seconds: number | null) => void;
}

function Fallback({ label, value, choices, onChange }: FallbackProps) {
  const lengths = value === null ? choices : withValue(choices, value);
  return (
    <SelectField
      label={label}
      frame="w-60 max-w-full"
      value={value ?? NEVER}
      onChange={({ target }) => onChange(target.value === NEVER ? null : Number(target.value))}
      options={[
        ...lengths.map((seconds) => ({ value: seconds, label: lengthWords(seconds) })),
        { value: NEVER, label: t('routing_never') },
      ]}
    />
  );
}

function AgentLimits() {
  const { data, error, refetch } = useQuery(agentsQuery);
  if (!data) return <Waiting error={error} retry={refetch} failed={t('team_failed')} rows={3} face />;
  return (
    <Rows label={t('agents')}>
      {data.agents.map((agent) => (
        <AgentLimit key={agent.id} agent={agent} />
      ))}
    </Rows>
  );
}

function AgentLimit({ agent }: { agent: Agent }) {
  const presence = useSeenPresence()(agent.id);
  const [isEditing, setEditing] = useState(false);
  const skills = [...agent.languages.map(languageName), ...agent.skills.map(({ name }) => name)];
  return (
    <li className="flex flex-wrap items-center gap-3 px-4 py-2.5">
      <Face kind="agent" name={agent.name} picture={agent.picture_url} presence={presence} />
      <div className="min-w-0 flex-1">
        <p className={cx(LINE, 'font-medium')}>
          <bdi>{agent.name}</bdi>
        </p>
        <p className="text-soft text-xs">{seenWord(presence)}</p>
        {skills.length > 0 ? (
          <p className="wrap-anywhere text-soft text-xs" dir="auto">
            {skills.join(' · ')}
          </p>
        ) : null}
      </div>
      <Button
        small
        look="quiet"
        aria-label={tSkills('edit_of', { name: agent.name })}
        onClick={() => setEditing(true)}
      >
        {tSkills('edit')}
      </Button>
      <Limit
        label={t('limit_of', { name: agent.name })}
        value={agent.chat_limit}
        choices={LIMITS}
        words={(count) => t('limit', { count })}
        save={(chat_limit) => call('agents.set_chat_limit', { id: agent.id, chat_limit })}
      />
      <Limit
        label={t('ticket_limit_of', { name: agent.name })}
        value={agent.ticket_limit}
        choices={TICKET_LIMITS}
        words={(count) => t('ticket_limit', { count })}
        save={(ticket_limit) => call('agents.set_ticket_limit', { id: agent.id, ticket_limit })}
      />
      {isEditing ? <SkillsDialog agent={agent} onClose={() => setEditing(false)} /> : null}
    </li>
  );
}

interface LimitProps {
  label: string;
  value: number;
  choices: readonly number[];
  words: (count: number) => string;
  save: (limit: number) => Promise<unknown>;
}

/** How many chats or tickets an agent is assigned at most. */
function Limit({ label, value, choices, words, save }: LimitProps) {
  const client = useQueryClient();
  const set = useMutation({
    mutationFn: save,
    onSuccess: () => client.invalidateQueries({ queryKey: agentsQuery.queryKey }),
    onError: (error) => toast.error(t('limit_failed'), error),
  });
  const limit = set.isPending ? set.variables : value;
  return (
    <SelectField
      bare
      label={label}
      frame="w-32 shrink-0"
      value={limit}
      onChange={(event) => set.mutate(Number(event.target.value))}
      options={withValue(choices, limit).map((count) => ({ value: count, label: words(count) }))}
    />
  );
}
