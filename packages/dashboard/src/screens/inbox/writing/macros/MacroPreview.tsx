import type { Macro, MacroAction } from '@foyer/protocol';
import { MINUTE_MS } from '@foyer/protocol/values/durations';
import { worksInChat } from '@foyer/protocol/values/macro-actions';
import { fillMacroText, type PlaceholderValues } from '@foyer/protocol/values/macro-text';
import { useQuery } from '@tanstack/react-query';
import { formatList } from '../../../../language.ts';
import { agentsQuery, teamsQuery } from '../../../../queries.ts';
import { lengthOf } from '../../../../times.ts';
import { priorityWord, statusWord } from '../../ticket/ticket-words.ts';
import { t } from '../t.ts';

type Writing = Extract<MacroAction, { type: 'reply' | 'note' }>;
export const isWriting = (action: MacroAction): action is Writing =>
  action.type === 'reply' || action.type === 'note';

interface MacroPreviewProps {
  macro: Pick<Macro, 'actions'>;
  values: PlaceholderValues;
  /** Chats support only some of the actions. */
  isTicket: boolean;
}

/** A macro's actions in order, with its texts filled in. */
export function MacroPreview({ macro, values, isTicket }: MacroPreviewProps) {
  const agents = useQuery(agentsQuery).data?.agents ?? [];
  const teams = useQuery(teamsQuery).data?.items ?? [];
  const nameOfTeam = (id: number): string => teams.find((team) => team.id === id)?.name ?? t('former_team');
  const nameOf = (id: number): string =>
    agents.find((agent) => agent.id === id)?.name ?? t('former_teammate');
  const actions = isTicket ? macro.actions : macro.actions.filter(worksInChat);
  return (
    <>
      <ol className="space-y-3">
        {[...actions.entries()].map(([at, action]) => (
          <li key={at}>
            {isWriting(action) ? (
              <>
                <p className="mb-1 text-soft text-xs">
                  {action.type === 'note'
                    ? t('macro_notes')
                    : t(isTicket ? 'macro_replies' : 'macro_replies_visitor')}
                </p>
                <p
                  dir="auto"
                  className={
                    action.type === 'reply'
                      ? 'wrap-anywhere whitespace-pre-wrap rounded-lg bg-accent-ground px-3 py-2'
                      : 'wrap-anywhere whitespace-pre-wrap rounded-lg border border-note-line bg-note-ground px-3 py-2'
                  }
                >
                  {fillMacroText(action.body, values)}
                </p>
              </>
            ) : (
              <p className="wrap-anywhere">
                {actionWords(action, { agent: nameOf, team: nameOfTeam }, isTicket)}
              </p>
            )}
          </li>
        ))}
      </ol>
      {actions.length < macro.actions.length ? (
        <p className="mt-3 text-soft text-xs">
          {t('macro_skips', { count: macro.actions.length - actions.length })}
        </p>
      ) : null}
    </>
  );
}

function actionWords(
  action: Exclude<MacroAction, Writing>,
  nameOf: { agent: (id: number) => string; team: (id: number) => string },
  isTicket: boolean,
): string {
  switch (action.type) {
    case 'set_status':
      return isTicket ? t('macro_status', { status: statusWord(action.status) }) : t('macro_closes');
    case 'set_priority':
      return t('macro_priority', { priority: priorityWord(action.priority) });
    case 'assign':
      return action.assignee_id === null
        ? t('macro_unassigns')
        : t('macro_assigns', { name: nameOf.agent(action.assignee_id) });
    case 'assign_team':
      return action.team_id === null
        ? t('macro_team_none')
        : t('macro_team', { name: nameOf.team(action.team_id) });
    case 'add_tags':
      return t('macro_adds', { tags: formatList(action.tags) });
    case 'remove_tags':
      return t('macro_removes', { tags: formatList(action.tags) });
    case 'snooze':
      return t('macro_snoozes', { length: lengthOf(action.minutes * MINUTE_MS) });
    case 'set_field': {
      const { field, value } = action;
      return value === null
        ? t('macro_clears_field', { field })
        : t('macro_sets_field', { field, value: String(value) });
    }
    case 'send_email':
      return action.team_id === undefined
        ? t('macro_emails', { address: action.address ?? '' })
        : t('macro_emails_team', { name: nameOf.team(action.team_id) });
    case 'call_webhook':
      return t('macro_calls');
    case 'block':
      return t('macro_blocks');
  }
}
