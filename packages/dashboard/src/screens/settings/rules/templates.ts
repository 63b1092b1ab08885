import type { RuleAction, RuleTrigger } from '@foyer/protocol';
import { language } from '../../../language.ts';
import { TO_CHOOSE } from '../macros/steps.ts';
import type { RuleParts } from './rule-values.ts';
import { t } from './t.ts';

/** In the order in which they are offered. */
export const TEMPLATE_NAMES = [
  'language',
  'checkout',
  'pricing',
  'refund',
  'vip',
  'waiting',
  'morning',
  'evening',
  'again',
  'unanswered',
  'rating',
  'confirm',
  'urgent',
  'escalate',
  'late',
] as const;
type TemplateName = (typeof TEMPLATE_NAMES)[number];

const FROM_VISITOR: RuleTrigger = { on: 'message_created', from: 'visitor' };
const SOME_TEAM: RuleAction = { type: 'assign_team', team_id: TO_CHOOSE };
const CALL_A_PERSON: RuleAction = { type: 'stop_bot' };

const tag = (name: string): RuleAction => ({ type: 'add_tags', tags: [name] });
/** Any of some words that a phrase lists. */
const anyOf = (words: string): RuleParts['conditions'] => ({
  any: words.split(',').map((word) => ({ contains: word.trim() })),
});

type Body = Pick<RuleParts, 'trigger' | 'actions'> & Partial<Pick<RuleParts, 'conditions' | 'final'>>;

/** Made when they are asked for: their texts are in the agent's language. */
const BODIES: Record<TemplateName, () => Body> = {
  language: () => ({
    trigger: { on: 'conversation_started' },
    conditions: { all: [{ language: language() === 'de' ? 'en' : 'de' }] },
    actions: [SOME_TEAM],
  }),
  checkout: () => ({
    trigger: { on: 'conversation_started' },
    conditions: { all: [{ page: '/checkout' }] },
    actions: [CALL_A_PERSON, tag(t('tag_checkout'))],
  }),
  pricing: () => ({
    trigger: FROM_VISITOR,
    conditions: anyOf(t('words_pricing')),
    actions: [tag(t('tag_pricing'))],
  }),
  refund: () => ({
    trigger: FROM_VISITOR,
    conditions: anyOf(t('words_refund')),
    actions: [CALL_A_PERSON, tag(t('tag_refund'))],
  }),
  vip: () => ({
    trigger: { on: 'conversation_started' },
    conditions: { all: [{ attribute: 'plan', op: 'eq', value: 'enterprise' }] },
    actions: [tag(t('tag_vip')), CALL_A_PERSON],
    final: true,
  }),
  waiting: () => ({
    trigger: { on: 'handoff' },
    actions: [{ type: 'reply', body: t('text_waiting') }],
  }),
  morning: () => ({
    trigger: { on: 'office_opened' },
    conditions: { all: [{ status: 'waiting' }] },
    actions: [{ type: 'reply', body: t('text_morning') }],
  }),
  evening: () => ({
    trigger: { on: 'office_closed' },
    conditions: { all: [{ status: 'waiting' }] },
    actions: [{ type: 'reply', body: t('text_evening') }],
  }),
  again: () => ({
    trigger: { on: 'conversation_reopened' },
    actions: [CALL_A_PERSON],
  }),
  unanswered: () => ({
    trigger: { on: 'conversation_closed' },
    conditions: { all: [{ assignee_id: 'none' }] },
    actions: [tag(t('tag_unanswered'))],
  }),
  rating: () => ({
    trigger: { on: 'conversation_closed' },
    conditions: { all: [{ attribute: 'plan', op: 'eq', value: 'enterprise' }] },
    actions: [{ type: 'request_rating' }],
  }),
  confirm: () => ({
    trigger: { on: 'ticket_created' },
    actions: [{ type: 'reply', body: t('text_confirm', { number: '{{ticket.id}}' }) }],
  }),
  urgent: () => ({
    trigger: { on: 'ticket_created' },
    conditions: anyOf(t('words_urgent')),
    actions: [{ type: 'set_priority', priority: 'urgent' }],
  }),
  escalate: () => ({
    trigger: { on: 'ticket_updated', changed: ['priority'] },
    conditions: { all: [{ priority: 'urgent' }] },
    actions: [SOME_TEAM, { type: 'note', body: t('text_escalate') }],
  }),
  late: () => ({
    trigger: { on: 'sla_breached' },
    actions: [{ type: 'set_priority', priority: 'urgent' }, tag(t('tag_late'))],
  }),
};

const isTemplate = (name: string): name is TemplateName => Object.hasOwn(BODIES, name);

/** A template as a rule; undefined for an unknown name. */
export const templateOf = (name: string | undefined): RuleParts | undefined =>
  name !== undefined && isTemplate(name)
    ? { name: t(`template_${name}`), conditions: null, final: false, ...BODIES[name]() }
    : undefined;
