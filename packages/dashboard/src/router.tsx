import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { CrashScreen } from './desk/shell/CrashScreen.tsx';
import { NotFound } from './desk/shell/NotFound.tsx';
import { desk, deskRoutes, root, welcomeRoutes } from './routes/desk-routes.tsx';
import { knowledgeRoutes } from './routes/knowledge-routes.ts';
import { settingsRoutes } from './routes/settings-routes.ts';
import { visitorRoutes } from './routes/visitor-routes.ts';
import { Bone } from './ui/States.tsx';

const tree = root.addChildren([
  ...welcomeRoutes,
  desk.addChildren([...deskRoutes, ...visitorRoutes, ...knowledgeRoutes, settingsRoutes]),
]);

/** The desk's pages and the data in their addresses. */
export const createDeskRouter = (client: QueryClient) =>
  createRouter({
    routeTree: tree,
    basepath: '/app',
    context: { client },
    defaultPreload: 'intent',
    defaultPendingMs: 300,
    defaultPendingMinMs: 0,
    defaultErrorComponent: CrashScreen,
    defaultNotFoundComponent: NotFound,
    defaultPendingComponent: () => <Bone className="late m-6 h-6 w-40" />,
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createDeskRouter>;
  }
}
