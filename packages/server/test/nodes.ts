import { startTestApp, type TestApp } from './app.ts';
import { type TestDatabase, testDatabase } from './harness.ts';

/** Several complete Foyer servers on one database, within this process. */
export interface Nodes {
  apps: TestApp[];
  database: TestDatabase;
  at(index: number): TestApp;
  /** Replaces one by a new one. */
  restart(index: number): Promise<void>;
  close(): Promise<void>;
}

export async function startNodes(
  count: number,
  environment: Record<string, string> = {},
  options: Parameters<typeof startTestApp>[1] = {},
): Promise<Nodes> {
  const database = await testDatabase();
  const shared = { ...database, close: async () => undefined };
  const start = (): Promise<TestApp> => startTestApp(environment, options, shared);
  const apps = await Promise.all(Array.from({ length: count }, start));
  const at = (index: number): TestApp => {
    const app = apps[index % apps.length];
    if (!app) throw new Error('no such node');
    return app;
  };
  return {
    apps,
    database,
    at,
    async restart(index) {
      await at(index).close();
      apps[index] = await start();
    },
    async close() {
      await Promise.all(apps.map((app) => app.close()));
      await database.close();
    },
  };
}
