import type { Agent } from '@foyer/protocol';
import { NAME_MAX, TEAM_DESCRIPTION_MAX, TEAM_EMOJI_MAX } from '@foyer/protocol/values/bounds';
import { ROUTINGS } from '@foyer/protocol/values/wire-names';
import { useQuery } from '@tanstack/react-query';
import { useMe } from '../../../desk/DeskContext.tsx';
import { FormError } from '../../../forms/FormError.tsx';
import { FormFoot } from '../../../forms/FormFoot.tsx';
import type { Form } from '../../../forms/use-form.ts';
import { agentsQuery } from '../../../queries.ts';
import { cx, LINE } from '../../../ui/classes.ts';
import { Face } from '../../../ui/Face.tsx';
import { SelectField, TextArea, TextField } from '../../../ui/forms/Field.tsx';
import { Toggle } from '../../../ui/forms/Toggle.tsx';
import { Rows, Section } from '../../../ui/Page.tsx';
import { Waiting } from '../../../ui/Waiting.tsx';
import { EmojiMenu } from '../../inbox/writing/emoji/EmojiMenu.tsx';
import { firstHours, HoursFields } from '../hours/HoursFields.tsx';
import { t } from './t.ts';
import type { TeamValues } from './team-values.ts';

interface TeamFormProps {
  form: Form<TeamValues>;
  isNew?: boolean;
}

/** Name, members, lead and office hours of a team. */
export function TeamForm({ form, isNew = false }: TeamFormProps) {
  return (
    <form onSubmit={form.submit}>
      <div className="mb-8 space-y-4">
        <TextField
          label={t('name')}
          required
          autoFocus={isNew}
          maxLength={NAME_MAX}
          frame="max-w-120"
          {...form.text('name')}
        />
        <div className="flex items-start gap-1">
          <TextField
            label={t('emoji')}
            hint={t('emoji_hint')}
            maxLength={TEAM_EMOJI_MAX}
            autoComplete="off"
            frame="w-56"
            {...form.text('emoji')}
          />
          <div className="pt-6">
            <EmojiMenu onChoose={(emoji) => form.set({ emoji })} />
          </div>
        </div>
        <TextArea
          label={t('description')}
          hint={t('description_hint')}
          maxLength={TEAM_DESCRIPTION_MAX}
          frame="max-w-120"
          {...form.text('description')}
        />
      </div>
      <Section title={t('members')} intro={t('members_intro')}>
        <Members form={form} />
      </Section>
      <RoutingChoice form={form} />
      <Hours form={form} />
      <FormError form={form} title={t('not_saved')} className="mt-6" />
      <FormFoot form={form} isNew={isNew} disabled={form.values.name.trim() === ''} discard={t('discard')}>
        {t(isNew ? 'create' : 'save')}
      </FormFoot>
    </form>
  );
}

/** Who belongs to the team, and which of them leads it. */
function Members({ form }: { form: Form<TeamValues> }) {
  const { data, error, refetch } = useQuery(agentsQuery);
  const { members, lead } = form.values;
  if (!data) return <Waiting error={error} retry={refetch} failed={t('agents_failed')} rows={3} face />;
  const chosen = data.agents.filter(({ id }) => members.includes(id));
  const toggle = (id: number): void =>
    form.set({ members: members.includes(id) ? members.filter((one) => one !== id) : [...members, id] });
  return (
    <>
      <Rows label={t('members')}>
        {data.agents.map((agent) => (
          <Member
            key={agent.id}
            agent={agent}
            isMember={members.includes(agent.id)}
            onToggle={() => toggle(agent.id)}
          />
        ))}
      </Rows>
      <SelectField
        label={t('lead')}
        hint={t('lead_hint')}
        any={t('lead_none')}
        frame="mt-4 max-w-80"
        options={chosen.map(({ id, name }) => ({ value: String(id), label: name }))}
        {...form.text('lead', 'lead_id')}
        value={chosen.some(({ id }) => String(id) === lead) ? lead : ''}
      />
    </>
  );
}

interface MemberProps {
  agent: Agent;
  isMember: boolean;
  onToggle: () => void;
}

function Member({ agent, isMember, onToggle }: MemberProps) {
  return (
    <li>
      <label className="flex min-h-12 cursor-pointer items-center gap-3 px-4 py-2 hover:bg-hover">
        <input
          type="checkbox"
          className="size-4 shrink-0 accent-accent"
          checked={isMember}
          onChange={onToggle}
        />
        <Face kind="agent" size="small" name={agent.name} picture={agent.picture_url} />
        <span className={cx(LINE, 'min-w-0 flex-1')}>
          <bdi>{agent.name}</bdi>
        </span>
      </label>
    </li>
  );
}

/** How the team's waiting chats and its tickets are assigned. */
function RoutingChoice({ form }: { form: Form<TeamValues> }) {
  return (
    <Section title={t('routing')} intro={t('routing_intro')}>
      <div className="flex flex-wrap gap-4">
        {(['routing', 'ticket_routing'] as const).map((field) => (
          <SelectField
            key={field}
            label={t(field === 'routing' ? 'routing_mode' : 'ticket_routing_mode')}
            any={t('routing_site')}
            frame="w-60 max-w-full"
            options={ROUTINGS.map((value) => ({ value, label: t(`routing_${value}`) }))}
            {...form.text(field)}
          />
        ))}
      </div>
    </Section>
  );
}

/** The team's own office hours, or the site's. */
function Hours({ form }: { form: Form<TeamValues> }) {
  const { site } = useMe();
  const { hours } = form.values;
  return (
    <Section title={t('hours')} intro={t('hours_intro')}>
      <Toggle
        label={t('hours_own')}
        hint={t(site.office_hours ? 'hours_own_hint' : 'hours_none_hint')}
        on={hours !== null}
        onChange={(on) => form.set({ hours: on ? (site.office_hours ?? firstHours()) : null })}
      />
      {hours ? (
        <div className="mt-6">
          <HoursFields
            hours={hours}
            issue={(path) => form.issue(`office_hours.${path}`)}
            onChange={(change) => form.set({ hours: { ...hours, ...change } })}
          />
        </div>
      ) : null}
    </Section>
  );
}
