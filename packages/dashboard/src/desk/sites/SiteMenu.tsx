import { ChevronsUpDown, Plus } from 'lucide-react';
import { Menu } from '../../ui/Menu.tsx';
import { useIsAdmin, useMe } from '../DeskContext.tsx';
import { SiteName } from './SiteName.tsx';
import { askNewSite, useSwitchSite } from './switch-site.ts';
import { t } from './t.ts';

/** The site's name, which opens the person's other sites and the form of a new one. */
export function SiteMenu() {
  const { site, sites } = useMe();
  const isAdmin = useIsAdmin();
  const switchTo = useSwitchSite();
  return (
    <Menu
      label={t('menu', { site: site.name })}
      align="start"
      trigger={
        <button
          type="button"
          aria-label={t('menu', { site: site.name })}
          title={site.name}
          className="flex h-full w-full min-w-0 items-center gap-1 rounded-lg px-1 hover:bg-pressed md:max-xl:px-0 xl:px-2"
        >
          <SiteName />
          <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-faint md:max-xl:hidden" />
        </button>
      }
      choice={
        sites.length > 1
          ? {
              label: t('sites'),
              value: String(site.id),
              options: sites.map(({ id, name }) => ({ value: String(id), label: name })),
              onChange: (value) => {
                if (Number(value) !== site.id) switchTo({ id: Number(value), path: '/app/inbox' });
              },
            }
          : undefined
      }
      items={[isAdmin && { label: t('new_site'), icon: <Plus aria-hidden />, onSelect: askNewSite }]}
    />
  );
}
