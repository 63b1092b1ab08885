import type { RuleAction } from '@foyer/protocol';
import { TICKET_TEXT_MAX } from '@foyer/protocol/values/bounds';
import { TICKET_PRIORITIES, TICKET_STATUSES } from '@foyer/protocol/values/wire-names';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { activeTeams, agentsQuery, teamsQuery } from '../../../queries.ts';
import { SelectField, TextArea } from '../../../ui/forms/Field.tsx';
import { TagEditor } from '../../inbox/TagEditor.tsx';
import { priorityWord, statusWord } from '../../inbox/ticket/ticket-words.ts';
import { withValue } from '../with-value.ts';
import { EmailStep, FieldStep, WebhookStep } from './OutsideSteps.tsx';
import { stepWord, TO_CHOOSE } from './steps.ts';
import { t } from './t.ts';
import { VariableMenu } from './VariableMenu.tsx';

type Of<K extends RuleAction['type']> = Extract<RuleAction, { type: K }>;

/** Tickets can't return to `new`, and can't be closed by hand. */
const SETTABLE = TICKET_STATUSES.filter((status) => status !== 'new' && status !== 'closed');
const SNOOZES_MINUTES = [60, 240, 1440, 2880, 4320, 10_080, 20_160];

interface StepFieldsProps<S extends RuleAction> {
  step: S;
  /** The error, as a sentence. */
  fault: string | undefined;
  onChange: (step: S) => void;
}

/** The fields of a step of a macro or rule. */
export const StepFields = <S extends RuleAction>({ onChange, ...rest }: StepFieldsProps<S>) => (
  // A step keeps its type.
  <Fields {...rest} onChange={(changed) => onChange(changed as S)} />
);

function Fields({ step, fault, onChange }: StepFieldsProps<RuleAction>) {
  switch (step.type) {
    case 'reply':
    case 'note':
      return <TextStep step={step} fault={fault} onChange={onChange} />;
    case 'set_status':
      return (
        <Choice
          label={stepWord(step.type)}
          value={step.status}
          values={[...new Set([...SETTABLE, step.status])]}
          wordOf={statusWord}
          onChange={(status) => onChange({ ...step, status })}
        />
      );
    case 'set_priority':
      return (
        <Choice
          label={stepWord(step.type)}
          value={step.priority}
          values={TICKET_PRIORITIES}
          wordOf={priorityWord}
          onChange={(priority) => onChange({ ...step, priority })}
        />
      );
    case 'assign':
      return <AssignStep step={step} onChange={onChange} />;
    case 'assign_team':
      return <TeamStep step={step} fault={fault} onChange={onChange} />;
    case 'add_tags':
    case 'remove_tags':
      return (
        <>
          <TagEditor tags={step.tags} onChange={(tags) => onChange({ ...step, tags })} />
          {fault ? <p className="mt-1 text-danger-text">{fault}</p> : null}
        </>
      );
    case 'snooze':
      return (
        <Choice
          label={stepWord(step.type)}
          value={step.minutes}
          values={withValue(SNOOZES_MINUTES, step.minutes)}
          wordOf={lengthWords}
          onChange={(minutes) => onChange({ ...step, minutes })}
        />
      );
    case 'set_field':
      return <FieldStep step={step} fault={fault} onChange={onChange} />;
    case 'send_email':
      return <EmailStep step={step} fault={fault} onChange={onChange} />;
    case 'call_webhook':
      return <WebhookStep step={step} fault={fault} onChange={onChange} />;
    case 'block':
    case 'stop_bot':
    case 'start_bot':
    case 'request_rating':
      return <p className="text-soft">{t(`hint_${step.type}`)}</p>;
  }
}

interface ChoiceProps<T extends string | number> {
  label: string;
  value: T;
  values: readonly T[];
  wordOf: (value: T) => string;
  onChange: (value: T) => void;
}

function Choice<T extends string | number>({ label, value, values, wordOf, onChange }: ChoiceProps<T>) {
  return (
    <SelectField
      bare
      label={label}
      frame="max-w-60"
      value={value}
      onChange={({ target }) => onChange(values.find((one) => String(one) === target.value) ?? value)}
      options={values.map((one) => ({ value: one, label: wordOf(one) }))}
    />
  );
}

/** A time in words, in the largest unit without a rest. */
export function lengthWords(minutes: number): string {
  if (minutes % 1440 === 0) return t('snooze_days', { count: minutes / 1440 });
  return minutes % 60 === 0
    ? t('snooze_hours', { count: minutes / 60 })
    : t('snooze_minutes', { count: minutes });
}

interface TextStepProps {
  step: Of<'reply' | 'note'>;
  fault: string | undefined;
  onChange: (step: RuleAction) => void;
}

function TextStep({ step, fault, onChange }: TextStepProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  /** At the caret, which moves behind it. */
  const insert = (variable: string): void => {
    const { selectionStart: from = step.body.length, selectionEnd: to = from } = box.current ?? {};
    onChange({ ...step, body: step.body.slice(0, from) + variable + step.body.slice(to) });
    requestAnimationFrame(() => {
      box.current?.focus();
      box.current?.setSelectionRange(from + variable.length, from + variable.length);
    });
  };
  return (
    <>
      <TextArea
        bare
        ref={box}
        label={stepWord(step.type)}
        hint={step.type === 'note' ? t('note_hint') : undefined}
        fault={fault}
        rows={5}
        maxLength={TICKET_TEXT_MAX}
        className={step.type === 'note' ? 'bg-note-ground' : undefined}
        value={step.body}
        onChange={(event) => onChange({ ...step, body: event.target.value })}
      />
      <div className="mt-1">
        <VariableMenu onInsert={insert} />
      </div>
    </>
  );
}

interface AssignStepProps {
  step: Of<'assign'>;
  onChange: (step: RuleAction) => void;
}

function AssignStep({ step, onChange }: AssignStepProps) {
  const agents = useQuery(agentsQuery).data?.agents;
  const isGone =
    agents !== undefined && step.assignee_id !== null && !agents.some(({ id }) => id === step.assignee_id);
  return (
    <SelectField
      bare
      label={stepWord(step.type)}
      frame="max-w-80"
      value={step.assignee_id ?? ''}
      onChange={({ target }) =>
        onChange({ ...step, assignee_id: target.value === '' ? null : Number(target.value) })
      }
      any={t('nobody')}
      options={[
        ...(isGone ? [{ value: step.assignee_id ?? '', label: t('left_team') }] : []),
        ...(agents ?? []).map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
}

interface TeamStepProps {
  step: Of<'assign_team'>;
  fault: string | undefined;
  onChange: (step: RuleAction) => void;
}

function TeamStep({ step, fault, onChange }: TeamStepProps) {
  const found = useQuery(teamsQuery).data;
  const teams = activeTeams(found);
  const isUnknown =
    found !== undefined && step.team_id !== null && !teams.some(({ id }) => id === step.team_id);
  const unknown = t(step.team_id === TO_CHOOSE ? 'choose_team' : 'team_gone');
  return (
    <SelectField
      bare
      label={stepWord(step.type)}
      frame="max-w-80"
      fault={fault}
      value={step.team_id ?? ''}
      onChange={({ target }) =>
        onChange({ ...step, team_id: target.value === '' ? null : Number(target.value) })
      }
      any={t('no_team')}
      options={[
        ...(isUnknown ? [{ value: step.team_id ?? '', label: unknown }] : []),
        ...teams.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
}
