import type { AgentRef } from '@foyer/protocol';
import { cx } from '../../../../ui/classes.ts';
import { Face } from '../../../../ui/Face.tsx';
import { t } from '../t.ts';
import { optionId } from './named.ts';

const ABOVE = 'absolute inset-x-2 bottom-full z-30 mb-1 max-w-72 rounded-lg bg-raised shadow-float';

/** Instead of the list, for a team of one. */
export const NobodyToMention = () => (
  <p role="status" className={cx(ABOVE, 'px-3 py-2 text-soft')}>
    {t('mention_nobody')}
  </p>
);

interface MentionListProps {
  id: string;
  agents: readonly (AgentRef & { picture_url: string | null })[];
  /** The index of the one that Enter chooses. */
  at: number;
  onChoose: (agent: AgentRef) => void;
}

/** The team after an `@`. The text box keeps the focus and handles the keys. */
export function MentionList({ id, agents, at, onChoose }: MentionListProps) {
  return (
    <div id={id} role="listbox" aria-label={t('mention')} className={cx(ABOVE, 'p-1')}>
      {agents.map((agent, place) => (
        <div
          key={agent.id}
          id={optionId(id, agent)}
          role="option"
          tabIndex={-1}
          aria-selected={place === at}
          // The box keeps the focus.
          onMouseDown={(event) => {
            event.preventDefault();
            onChoose(agent);
          }}
          className={cx(
            'flex h-9 cursor-default items-center gap-2 rounded-md px-2 max-md:h-11',
            place === at ? 'bg-pressed' : 'hover:bg-hover',
          )}
        >
          <Face kind="agent" name={agent.name} picture={agent.picture_url} size="small" />
          <span className="min-w-0 flex-1 truncate">
            <bdi>{agent.name}</bdi>
          </span>
        </div>
      ))}
    </div>
  );
}
