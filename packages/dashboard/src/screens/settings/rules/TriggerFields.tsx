import type { RuleEvent, RuleTrigger } from '@foyer/protocol';
import { EVENT_NAME_MAX, INBOX_PAGE_MAX, RULE_MINUTES_MAX } from '@foyer/protocol/values/bounds';
import {
  CHANGED_FIELDS,
  isTimeTrigger,
  MESSAGE_SENDERS,
  REPLY_SENDERS,
  RULE_EVENTS,
} from '@foyer/protocol/values/rules/rule-triggers';
import { oneOf } from '../../../address-search.ts';
import { CheckField, SelectField, TextField } from '../../../ui/forms/Field.tsx';
import { capitalized, triggerClause } from './rule-sentence.ts';
import { t } from './t.ts';

interface TriggerFieldsProps {
  trigger: RuleTrigger;
  onChange: (trigger: RuleTrigger) => void;
}

const AN_HOUR_MINUTES = 60;

/** A trigger without a choice of its details. */
export const plainTrigger = (on: RuleEvent): RuleTrigger =>
  isTimeTrigger(on) ? { on, minutes: AN_HOUR_MINUTES } : { on };

/** When a rule runs. */
export const TriggerFields = ({ trigger, onChange }: TriggerFieldsProps) => (
  <div className="space-y-3">
    <SelectField
      label={t('trigger')}
      frame="max-w-100"
      value={trigger.on}
      onChange={({ target }) => {
        const on = oneOf(target.value, RULE_EVENTS);
        if (on) onChange(plainTrigger(on));
      }}
      options={RULE_EVENTS.map((on) => ({ value: on, label: capitalized(triggerClause(plainTrigger(on))) }))}
    />
    <Details trigger={trigger} onChange={onChange} />
  </div>
);

function Details({ trigger, onChange }: TriggerFieldsProps) {
  switch (trigger.on) {
    case 'ticket_updated':
      return <Changed trigger={trigger} onChange={onChange} />;
    case 'ticket_replied':
      return (
        <Sender
          senders={REPLY_SENDERS}
          from={trigger.from}
          onChange={(from) => onChange({ on: trigger.on, ...(from && { from }) })}
        />
      );
    case 'message_created':
      return (
        <Sender
          senders={MESSAGE_SENDERS}
          from={trigger.from}
          onChange={(from) => onChange({ on: trigger.on, ...(from && { from }) })}
        />
      );
    case 'page_viewed':
      return (
        <TextField
          label={t('trigger_page')}
          hint={t('trigger_page_hint')}
          frame="max-w-100"
          maxLength={INBOX_PAGE_MAX}
          value={trigger.page ?? ''}
          onChange={({ target: { value } }) => onChange({ on: trigger.on, ...(value && { page: value }) })}
        />
      );
    case 'event_tracked':
      return (
        <TextField
          label={t('trigger_event')}
          hint={t('trigger_event_hint')}
          frame="max-w-100"
          maxLength={EVENT_NAME_MAX}
          value={trigger.name ?? ''}
          onChange={({ target: { value } }) => onChange({ on: trigger.on, ...(value && { name: value }) })}
        />
      );
    default:
      return 'minutes' in trigger ? <Minutes trigger={trigger} onChange={onChange} /> : null;
  }
}

interface MinutesProps {
  trigger: Extract<RuleTrigger, { minutes: number }>;
  onChange: (trigger: RuleTrigger) => void;
}

/** After how many minutes. */
const Minutes = ({ trigger, onChange }: MinutesProps) => (
  <TextField
    label={t('trigger_minutes')}
    hint={t('trigger_minutes_hint')}
    frame="max-w-60"
    type="number"
    min={1}
    max={RULE_MINUTES_MAX}
    required
    value={trigger.minutes || ''}
    onChange={({ target }) => onChange({ ...trigger, minutes: Math.round(Number(target.value)) })}
  />
);

type AnySender = (typeof REPLY_SENDERS)[number] | (typeof MESSAGE_SENDERS)[number];

interface SenderProps<S extends AnySender> {
  senders: readonly S[];
  /** Undefined: anyone. */
  from: S | undefined;
  onChange: (from: S | undefined) => void;
}

/** Who must have written. */
const Sender = <S extends AnySender>({ senders, from, onChange }: SenderProps<S>) => (
  <SelectField
    label={t('from')}
    frame="max-w-60"
    any={t('from_any')}
    value={from ?? ''}
    onChange={({ target }) => onChange(oneOf(target.value, senders))}
    options={senders.map((value: AnySender) => ({ value, label: t(`from_${value}`) }))}
  />
);

interface ChangedProps {
  trigger: Extract<RuleTrigger, { on: 'ticket_updated' }>;
  onChange: (trigger: RuleTrigger) => void;
}

/** Which fields must have changed; without a choice, any. */
function Changed({ trigger: { on, changed = [] }, onChange }: ChangedProps) {
  return (
    <fieldset>
      <legend className="mb-1 font-medium">{t('changed')}</legend>
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        {CHANGED_FIELDS.map((field) => (
          <CheckField
            key={field}
            label={capitalized(t(`changed_${field}`))}
            checked={changed.includes(field)}
            onChange={({ target }) => {
              const next = CHANGED_FIELDS.filter((one) =>
                one === field ? target.checked : changed.includes(one),
              );
              onChange({ on, ...(next.length > 0 && { changed: next }) });
            }}
          />
        ))}
      </div>
      <p className="mt-1 text-soft">{t('changed_hint')}</p>
    </fieldset>
  );
}
