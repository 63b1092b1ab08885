import { cx } from '../../../../ui/classes.ts';
import { Face } from '../../../../ui/Face.tsx';
import { TeamMark } from '../../../settings/teams/TeamMark.tsx';
import { t } from '../t.ts';
import { type Mentionable, optionId } from './named.ts';

const ABOVE = 'absolute inset-x-2 bottom-full z-30 mb-1 max-w-72 rounded-lg bg-raised shadow-float';

/** Instead of the list, for a team of one. */
export const NobodyToMention = () => (
  <p role="status" className={cx(ABOVE, 'px-3 py-2 text-soft')}>
    {t('mention_nobody')}
  </p>
);

interface MentionListProps {
  id: string;
  named: readonly Mentionable[];
  /** The index of the one that Enter chooses. */
  at: number;
  onChoose: (one: Mentionable) => void;
}

/** Agents and teams after an `@`. The text box keeps the focus and handles the keys. */
export function MentionList({ id, named, at, onChoose }: MentionListProps) {
  return (
    <div id={id} role="listbox" aria-label={t('mention')} className={cx(ABOVE, 'p-1')}>
      {named.map((one, place) => (
        <div
          key={optionId(id, one)}
          id={optionId(id, one)}
          role="option"
          tabIndex={-1}
          aria-selected={place === at}
          // The box keeps the focus.
          onMouseDown={(event) => {
            event.preventDefault();
            onChoose(one);
          }}
          className={cx(
            'flex h-9 cursor-default items-center gap-2 rounded-md px-2 max-md:h-11',
            place === at ? 'bg-pressed' : 'hover:bg-hover',
          )}
        >
          {one.kind === 'team' ? (
            <span className="flex w-6 justify-center">
              <TeamMark emoji={one.emoji ?? null} />
            </span>
          ) : (
            <Face kind="agent" name={one.name} picture={one.picture} size="small" />
          )}
          <span className="min-w-0 flex-1 truncate">
            <bdi>{one.name}</bdi>
          </span>
        </div>
      ))}
    </div>
  );
}
