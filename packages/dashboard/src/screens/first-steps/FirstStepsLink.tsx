import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ListChecks } from 'lucide-react';
import { useLanguage } from '../../language.ts';
import { cx } from '../../ui/classes.ts';
import { areShown, countDone, firstStepsQuery } from './first-steps.ts';
import { t } from './t.ts';

/** The link to the first steps, as long as any are left. */
export function FirstStepsLink({ className }: { className?: string }) {
  useLanguage();
  const { data: first } = useQuery(firstStepsQuery);
  if (!areShown(first)) return null;
  const [done, total] = [countDone(first), first.steps.length];
  return (
    <Link
      to="/first-steps"
      title={`${t('title')}: ${t('progress', { done, total })}`}
      className={cx(
        'flex h-9 shrink-0 items-center gap-3 rounded-lg px-2.5 text-soft hover:bg-pressed hover:text-text data-[status=active]:bg-pressed data-[status=active]:font-medium data-[status=active]:text-text',
        className,
      )}
    >
      <ListChecks aria-hidden className="size-[18px] shrink-0" />
      <span className="min-w-0 flex-1 truncate md:max-xl:sr-only">{t('title')}</span>
      <span aria-hidden className="tabular text-faint text-xs md:max-xl:sr-only">
        {`${done}/${total}`}
      </span>
      <span className="sr-only">{t('progress', { done, total })}</span>
    </Link>
  );
}
