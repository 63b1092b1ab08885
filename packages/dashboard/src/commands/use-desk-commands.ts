import { INBOX_QUEUES } from '@foyer/protocol/values/inbox-queues';
import { DESK_LANGUAGES } from '@foyer/protocol/values/languages';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { signOut } from '../auth.ts';
import { useChosenLanguage } from '../desk/chosen-language.ts';
import { useIsAdmin, useMe } from '../desk/DeskContext.tsx';
import { setTheme, type Theme, useTheme } from '../desk/preferences.ts';
import { presenceChoices, useChosenPresence } from '../desk/presence.ts';
import { askNewSite, useSwitchSite } from '../desk/sites/switch-site.ts';
import { languageName } from '../language-name.ts';
import { viewsQuery } from '../queries.ts';
import { queueLabel } from '../screens/inbox/list/inbox-queues.ts';
import { tCommon } from '../t-common.ts';
import { toast } from '../ui/toasts/toast-store.ts';
import { useCommands } from './commands.ts';
import { t } from './t.ts';

const THEMES: readonly Theme[] = ['auto', 'light', 'dark'];

/** Commands of every page; they have no key and are offered while the palette is open. */
export function useDeskCommands(): void {
  useSiteCommands();
  const navigate = useNavigate();
  const admin = useIsAdmin();
  const [presence, choosePresence] = useChosenPresence();
  const [language, chooseLanguage] = useChosenLanguage();
  const theme = useTheme();
  const views = useQuery(viewsQuery).data?.items ?? [];
  useCommands({
    write_article: () => void navigate({ to: '/knowledge/new' }),
    invite: admin ? () => void navigate({ to: '/settings/agents' }) : undefined,
    queue: {
      choices: () => [
        ...INBOX_QUEUES.map((queue) => ({
          key: queue,
          label: queueLabel(queue),
          run: () => void navigate({ to: '/inbox', search: { queue } }),
        })),
        ...views.map(({ id, name, count }) => ({
          key: `view ${id}`,
          label: name,
          ...(count === null ? {} : { hint: String(count) }),
          run: () => void navigate({ to: '/inbox', search: { view: id } }),
        })),
      ],
    },
    presence: {
      choices: () =>
        presenceChoices().map(({ value, label }) => ({
          key: value,
          label,
          isCurrent: value === presence,
          run: () => choosePresence(value),
        })),
    },
    theme: {
      choices: () =>
        THEMES.map((value) => ({
          key: value,
          label: t(`theme_${value}`),
          isCurrent: value === theme,
          run: () => setTheme(value),
        })),
    },
    language: {
      choices: () =>
        [null, ...DESK_LANGUAGES].map((value) => ({
          key: value ?? 'auto',
          label: value === null ? t('language_auto') : languageName(value),
          isCurrent: value === language,
          run: () => chooseLanguage(value),
        })),
    },
    sign_out: () => void signOut().catch((error: unknown) => toast.error(tCommon('sign_out_failed'), error)),
  });
}

function useSiteCommands(): void {
  const { agent, site, sites } = useMe();
  const switchTo = useSwitchSite();
  useCommands({
    switch_site:
      sites.length > 1
        ? {
            choices: () =>
              sites.map(({ id, name }) => ({
                key: String(id),
                label: name,
                isCurrent: id === site.id,
                run: () => id !== site.id && switchTo({ id, path: '/app/inbox' }),
              })),
          }
        : undefined,
    new_site: agent.role === 'admin' ? askNewSite : undefined,
  });
}
