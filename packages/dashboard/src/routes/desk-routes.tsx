import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, redirect } from '@tanstack/react-router';
import { ApiError } from '../api.ts';
import { CrashScreen } from '../desk/shell/CrashScreen.tsx';
import { NotFound } from '../desk/shell/NotFound.tsx';
import { speakTo } from '../language.ts';
import { meQuery } from '../queries.ts';
import { readInboxSearch } from '../screens/inbox/list/inbox-search.ts';
import { readReportSearch } from '../screens/reports/report-search.ts';
import { keepSite } from '../site.ts';
import { reading, type Search, screen } from './screen.tsx';

interface Context {
  client: QueryClient;
}

/** Where to go after signing in: only a page of the desk itself. */
export const safeNext = (value: unknown): string | undefined =>
  typeof value === 'string' &&
  /^\/app\/(?!sign-in|setup|invitation|forgot-password|reset-password)/.test(value)
    ? value
    : undefined;

/** Above every page, signed in or not. */
export const root = createRootRouteWithContext<Context>()({
  errorComponent: (props) => (
    <main className="h-full">
      <CrashScreen {...props} />
    </main>
  ),
  notFoundComponent: () => (
    <main className="h-full">
      <NotFound />
    </main>
  ),
});

const setup = createRoute({
  getParentRoute: () => root,
  path: 'setup',
  component: screen(() => import('../screens/welcome/SetupScreen.tsx'), 'SetupScreen'),
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: 'invitation',
  component: screen(() => import('../screens/welcome/InvitationScreen.tsx'), 'InvitationScreen'),
});

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: 'forgot-password',
  component: screen(() => import('../screens/welcome/ForgotPasswordScreen.tsx'), 'ForgotPasswordScreen'),
});

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: 'reset-password',
  component: screen(() => import('../screens/welcome/ResetPasswordScreen.tsx'), 'ResetPasswordScreen'),
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: 'sign-in',
  validateSearch: reading((search: Search): { next?: string; refused?: string; code?: boolean } => {
    const next = safeNext(search.next);
    return {
      ...(next ? { next } : {}),
      // After an identity provider: why it failed, or that a code is missing.
      ...(typeof search.refused === 'string' ? { refused: search.refused } : {}),
      ...(search.code === true ? { code: true } : {}),
    };
  }),
  component: screen(() => import('../screens/welcome/SignInScreen.tsx'), 'SignInScreen'),
});

/** Every page behind the sign-in. */
export const desk = createRoute({
  getParentRoute: () => root,
  id: 'desk',
  beforeLoad: async ({ context }) => {
    try {
      const me = await context.client.ensureQueryData(meQuery);
      keepSite(me.site.id);
      await speakTo(me);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'unauthorized') throw error;
      const next = safeNext(location.pathname + location.search);
      throw redirect({ to: '/sign-in', search: next ? { next } : {} });
    }
  },
  component: screen(() => import('../desk/shell/Shell.tsx'), 'Shell'),
});

const home = createRoute({
  getParentRoute: () => desk,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/inbox' });
  },
});

const inbox = createRoute({
  getParentRoute: () => desk,
  path: 'inbox',
  validateSearch: reading(readInboxSearch),
  component: screen(() => import('../screens/inbox/InboxScreen.tsx'), 'InboxScreen'),
});
const inboxEmpty = createRoute({
  getParentRoute: () => inbox,
  path: '/',
  component: screen(() => import('../screens/first-steps/FirstStepsScreen.tsx'), 'InboxStart'),
});
const ticketRoute = createRoute({
  getParentRoute: () => inbox,
  path: 'tickets/$ticketId',
  component: screen(() => import('../screens/inbox/ticket/TicketScreen.tsx'), 'TicketScreen'),
});
const conversation = createRoute({
  getParentRoute: () => inbox,
  path: '$sessionId',
  component: screen(() => import('../screens/inbox/chat/ConversationScreen.tsx'), 'ConversationScreen'),
});

const firstSteps = createRoute({
  getParentRoute: () => desk,
  path: 'first-steps',
  component: screen(() => import('../screens/first-steps/FirstStepsScreen.tsx'), 'FirstStepsScreen'),
});

const reports = createRoute({
  getParentRoute: () => desk,
  path: 'reports',
  validateSearch: reading(readReportSearch),
  component: screen(() => import('../screens/reports/ReportsScreen.tsx'), 'ReportsScreen'),
});

/** Pages before the sign-in. */
export const welcomeRoutes = [setup, invitation, forgotPassword, resetPassword, signIn] as const;

/** The inbox and the pages that stand alone. */
export const deskRoutes = [
  home,
  inbox.addChildren([inboxEmpty, ticketRoute, conversation]),
  firstSteps,
  reports,
] as const;
