import type { SpamMark, TeamRef } from '@foyer/protocol';
import { AlarmClock } from 'lucide-react';
import { agoInWords, exact, momentOf } from '../../../../times.ts';
import { Face } from '../../../../ui/Face.tsx';
import { t } from '../../t.ts';

/** More would leave no room for the rest of the line. */
const TAGS_SHOWN = 2;

/** The first tags, and how many more there are; tags that would be cut to a few letters don't show. */
export function RowTags({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return null;
  const more = tags.slice(TAGS_SHOWN);
  return (
    <span className="row-extra whole-items flex-1 justify-end gap-x-1 font-normal text-soft contain-inline-size">
      <span className="sr-only">{t('tags')}: </span>
      {tags.slice(0, TAGS_SHOWN).map((name) => (
        <bdi key={name} className="max-w-max grow basis-10 truncate rounded-sm bg-pressed px-1" title={name}>
          {name}
        </bdi>
      ))}
      {more.length > 0 ? (
        <span className="tabular shrink-0" title={more.join(', ')}>
          +{more.length}
        </span>
      ) : null}
    </span>
  );
}

/** The team that it belongs to, if there is one. */
export function RowTeam({ team }: { team: TeamRef | null }) {
  if (!team) return null;
  const words = t('of_team', { name: team.name });
  return (
    <span className="max-w-24 shrink-0 truncate font-normal text-soft" title={words}>
      <span aria-hidden>{team.emoji ?? <bdi>{team.name}</bdi>}</span>
      <span className="sr-only">{words}</span>
    </span>
  );
}

/** When a snoozed one returns, instead of whose turn it is. */
export const SnoozedUntil = ({ utc }: { utc: string }) => (
  <span title={exact(utc)}>
    <AlarmClock aria-hidden className="me-1 inline size-3.5" />
    <span className="sr-only">{t('queue_snoozed')}: </span>
    {t('until', { date: momentOf(new Date(utc)) })}
  </span>
);

/** When it was marked as spam, instead of whose turn it is. */
export const SpamSince = ({ mark, now }: { mark: SpamMark; now: number }) => (
  <span title={exact(mark.marked_utc)}>{t('spam_marked', { when: agoInWords(mark.marked_utc, now) })}</span>
);

interface RowAssigneeProps {
  agent: { id: number; name: string } | null;
  picture: string | null;
  myId: number;
}

/** The assignee's avatar, if there is one. */
export function RowAssignee({ agent, picture, myId }: RowAssigneeProps) {
  if (!agent) return null;
  const words = agent.id === myId ? t('with_you') : t('with', { name: agent.name });
  return (
    <span title={words} className="shrink-0">
      <Face kind="agent" size="tiny" name={agent.name} picture={picture} />
      <span className="sr-only">{words}</span>
    </span>
  );
}
