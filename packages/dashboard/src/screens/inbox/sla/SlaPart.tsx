import type { Sla } from '@foyer/protocol';
import { exact } from '../../../times.ts';
import { useNow } from '../../../ui/Time.tsx';
import { Fact, Part } from '../PaneParts.tsx';
import { dueLook, dueWords } from './due.ts';
import { t } from './t.ts';

/** What the policy of a ticket or chat promises, and how each target stands. */
export function SlaPart({ sla }: { sla: Sla }) {
  return (
    <Part title={t('title')}>
      <dl className="space-y-1">
        <Fact name={t('policy')}>{sla.policy.name}</Fact>
        {sla.targets.map((one) => (
          <Fact key={one.target} name={t(`target_${one.target}`)}>
            <Standing one={one} next={one.target === sla.target ? sla : null} />
          </Fact>
        ))}
      </dl>
    </Part>
  );
}

interface StandingProps {
  one: Sla['targets'][number];
  /** Set if it is the one that is due next. */
  next: Sla | null;
}

function Standing({ one: { state, due_utc }, next }: StandingProps) {
  const now = useNow();
  if (state === 'met' || state === 'paused' || due_utc === null)
    return state === 'met' ? t('met') : t('paused');
  // Only the next one may still be running late.
  if (state === 'missed' && !next) return <span className="text-danger-text">{t('missed')}</span>;
  return (
    <time dateTime={due_utc} title={exact(due_utc)} className={dueLook(due_utc, next?.warn_utc ?? null, now)}>
      {dueWords(due_utc, now)}
    </time>
  );
}
