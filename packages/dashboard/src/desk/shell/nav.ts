import type { Permission } from '@foyer/protocol/values/sign-in/permissions';
import { BookOpen, ChartNoAxesColumn, Inbox, type LucideIcon, Settings, Users } from 'lucide-react';
import type { CommonWord } from '../../t-common.ts';

export interface NavItem {
  to: '/inbox' | '/visitors' | '/knowledge' | '/reports' | '/settings';
  word: CommonWord;
  icon: LucideIcon;
  needs?: Permission;
}

/** The top level of the desk: five entries at most, so that they fit a phone's bottom bar. */
export const NAV: NavItem[] = [
  { to: '/inbox', word: 'nav_inbox', icon: Inbox },
  { to: '/visitors', word: 'nav_visitors', icon: Users },
  { to: '/knowledge', word: 'nav_knowledge', icon: BookOpen },
  { to: '/reports', word: 'nav_reports', icon: ChartNoAxesColumn, needs: 'reports' },
  { to: '/settings', word: 'nav_settings', icon: Settings },
];
