import { cx } from '../../ui/classes.ts';
import { Mark } from '../../ui/Mark.tsx';
import { useMe } from '../DeskContext.tsx';

/** The site shown in this tab; on medium screens only for people with several. */
export function SiteName() {
  const { site, sites } = useMe();
  return (
    <span className="flex min-w-0 flex-1 items-center gap-2 text-start md:max-xl:flex-col md:max-xl:gap-0">
      <Mark />
      <span
        className={cx(
          'max-w-full truncate font-semibold',
          sites.length > 1 ? 'md:max-xl:font-medium md:max-xl:text-xs' : 'max-xl:hidden',
        )}
      >
        {site.name}
      </span>
    </span>
  );
}
