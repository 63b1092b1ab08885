import { BookOpen, ChartNoAxesColumn, Inbox, type LucideIcon, Settings, Users } from 'lucide-react';

export interface NavItem {
  to: '/inbox' | '/visitors' | '/knowledge' | '/reports' | '/settings';
  label: string;
  icon: LucideIcon;
}

/** The desk's map: no more at the top level (look.md). */
export const NAV: NavItem[] = [
  { to: '/inbox', label: 'Inbox', icon: Inbox },
  { to: '/visitors', label: 'Visitors', icon: Users },
  { to: '/knowledge', label: 'Knowledge', icon: BookOpen },
  { to: '/reports', label: 'Reports', icon: ChartNoAxesColumn },
  { to: '/settings', label: 'Settings', icon: Settings },
];
