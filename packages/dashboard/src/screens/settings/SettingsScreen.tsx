import type { Permission } from '@foyer/protocol/values/sign-in/permissions';
import { Link, type LinkProps, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import {
  Ban,
  Bell,
  ChevronLeft,
  ChevronRight,
  CircleUser,
  Clock,
  Code,
  Database,
  EyeOff,
  Gauge,
  Import,
  Inbox,
  KeyRound,
  ListChecks,
  ListPlus,
  LogIn,
  type LucideIcon,
  Mail,
  MailSearch,
  Megaphone,
  MessageCircle,
  MessageCircleQuestion,
  ScrollText,
  SlidersHorizontal,
  Split,
  Star,
  Store,
  Tag,
  Timer,
  UserCog,
  Users,
  UsersRound,
  Webhook,
  Workflow,
  Zap,
} from 'lucide-react';
import { useEffect } from 'react';
import { useMay, useNeeds } from '../../desk/DeskContext.tsx';
import { cx } from '../../ui/classes.ts';
import { type SettingsWord, t } from './t.ts';

interface Entry {
  to: NonNullable<LinkProps['to']> & string;
  key: SettingsWord;
  icon: LucideIcon;
  /** Agents without it don't see the entry in the list, but its address still shows the page read-only. */
  needs?: Permission | 'admin';
}

interface Group {
  key: SettingsWord;
  entries: Entry[];
}

const GROUPS: Group[] = [
  {
    key: 'group_widget',
    entries: [
      { to: '/settings/widget', key: 'nav_widget', icon: MessageCircle, needs: 'site' },
      { to: '/settings/proactive', key: 'nav_proactive', icon: Megaphone, needs: 'workflow' },
      { to: '/settings/install', key: 'nav_install', icon: Code, needs: 'site' },
      { to: '/settings/survey', key: 'nav_survey', icon: Star, needs: 'site' },
    ],
  },
  {
    key: 'group_site',
    entries: [
      { to: '/settings/site', key: 'nav_site', icon: Store, needs: 'site' },
      { to: '/settings/agents', key: 'nav_agents', icon: Users, needs: 'admin' },
      { to: '/settings/teams', key: 'nav_teams', icon: UsersRound, needs: 'workflow' },
      { to: '/settings/slas', key: 'nav_slas', icon: Timer, needs: 'workflow' },
      { to: '/settings/rules', key: 'nav_rules', icon: Workflow, needs: 'workflow' },
      { to: '/settings/roles', key: 'nav_roles', icon: UserCog, needs: 'admin' },
      { to: '/settings/single-sign-on', key: 'nav_single_sign_on', icon: LogIn, needs: 'admin' },
      { to: '/settings/hours', key: 'nav_hours', icon: Clock, needs: 'site' },
      { to: '/settings/routing', key: 'nav_routing', icon: Split, needs: 'site' },
      { to: '/settings/mailboxes', key: 'nav_mailboxes', icon: Inbox, needs: 'email' },
      { to: '/settings/mail', key: 'nav_mail', icon: Mail, needs: 'email' },
      { to: '/settings/plan', key: 'nav_plan', icon: Gauge, needs: 'admin' },
    ],
  },
  {
    key: 'group_developers',
    entries: [
      { to: '/settings/tokens', key: 'nav_tokens', icon: KeyRound, needs: 'admin' },
      { to: '/settings/webhooks', key: 'nav_webhooks', icon: Webhook, needs: 'integrations' },
    ],
  },
  {
    key: 'group_data',
    entries: [
      { to: '/settings/data', key: 'nav_data', icon: Database, needs: 'data' },
      { to: '/settings/redaction', key: 'nav_redaction', icon: EyeOff, needs: 'site' },
      { to: '/settings/import', key: 'nav_import', icon: Import, needs: 'data' },
      { to: '/settings/audit', key: 'nav_audit', icon: ScrollText, needs: 'audit' },
    ],
  },
  {
    key: 'group_work',
    entries: [
      { to: '/settings/macros', key: 'nav_macros', icon: Zap },
      { to: '/settings/tags', key: 'nav_tags', icon: Tag },
      { to: '/settings/fields', key: 'nav_fields', icon: ListPlus, needs: 'workflow' },
      { to: '/settings/mail-log', key: 'nav_mail_log', icon: MailSearch },
      { to: '/settings/blocked', key: 'nav_blocked', icon: Ban },
      { to: '/knowledge/starters', key: 'nav_starters', icon: MessageCircleQuestion },
    ],
  },
  {
    key: 'group_you',
    entries: [
      { to: '/first-steps', key: 'nav_first_steps', icon: ListChecks },
      { to: '/settings/account', key: 'nav_account', icon: CircleUser },
      { to: '/settings/notifications', key: 'nav_notifications', icon: Bell },
      { to: '/settings/preferences', key: 'nav_preferences', icon: SlidersHorizontal },
    ],
  },
];

/** The list of settings, with the open one beside it. */
export function SettingsScreen() {
  const mayOpen = useNeeds();
  const shown = GROUPS.map((group) => ({
    ...group,
    entries: group.entries.filter(({ needs }) => mayOpen(needs)),
  })).filter(({ entries }) => entries.length > 0);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const atHome = path.replace(/\/$/, '').endsWith('/settings');
  // Pages below a setting have their own way back.
  const isDeep = /\/settings\/[^/]+\/./.test(path);
  // An open setting's own heading is the page's.
  const Title = atHome ? 'h1' : 'p';
  return (
    <>
      <nav
        aria-label={t('settings')}
        className={cx(
          'scroll-y w-full shrink-0 bg-surface p-3 md:w-64 md:border-e md:bg-sunken',
          !atHome && 'max-md:hidden',
        )}
      >
        <Title className="px-2 pt-1 pb-2 font-semibold text-lg leading-7">{t('settings')}</Title>
        {shown.map((group) => (
          <section key={group.key} aria-label={t(group.key)} className="mt-2 md:mt-1">
            <h2 className="px-2 py-1 md:pb-0 text-faint text-xs">{t(group.key)}</h2>
            <ul>
              {group.entries.map(({ to, key, icon: Icon }) => (
                <li key={to}>
                  <Link
                    to={to}
                    className="flex h-8 items-center gap-3 rounded-lg px-2 text-soft hover:bg-pressed hover:text-text data-[status=active]:bg-pressed data-[status=active]:font-medium data-[status=active]:text-text max-md:h-12 max-md:text-text"
                  >
                    <Icon aria-hidden className="size-4 shrink-0" />
                    <span className="flex-1">{t(key)}</span>
                    <ChevronRight aria-hidden className="size-4 md:hidden rtl:rotate-180" />
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
      <div className={cx('flex min-h-0 min-w-0 flex-1 flex-col', atHome && 'max-md:hidden')}>
        <Link
          to="/settings"
          className={cx(
            'flex h-11 items-center gap-1 border-b bg-surface px-2 text-soft md:hidden',
            isDeep && 'max-md:hidden',
          )}
        >
          <ChevronLeft aria-hidden className="size-5 rtl:rotate-180" />
          {t('settings')}
        </Link>
        <Outlet />
      </div>
    </>
  );
}

/** Wide screens open the first setting; phones show the list. */
export function SettingsHome() {
  const navigate = useNavigate();
  const first = useMay('site') ? '/settings/widget' : '/settings/macros';
  useEffect(() => {
    if (matchMedia('(min-width: 768px)').matches) void navigate({ to: first, replace: true });
  }, [navigate, first]);
  return null;
}
