import { BookOpen, ChartNoAxesColumn, Inbox, type LucideIcon, Settings, Users } from 'lucide-react';
import type { BaseWord } from '../base.ts';

export interface NavItem {
  to: '/inbox' | '/visitors' | '/knowledge' | '/reports' | '/settings';
  word: BaseWord;
  icon: LucideIcon;
}

/** The desk's map: no more at the top level (look.md). */
export const NAV: NavItem[] = [
  { to: '/inbox', word: 'nav_inbox', icon: Inbox },
  { to: '/visitors', word: 'nav_visitors', icon: Users },
  { to: '/knowledge', word: 'nav_knowledge', icon: BookOpen },
  { to: '/reports', word: 'nav_reports', icon: ChartNoAxesColumn },
  { to: '/settings', word: 'nav_settings', icon: Settings },
];
