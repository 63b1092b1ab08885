/**
 * A CSV of 50,000 visitors imported by its job, after the upload: all new, and the same again.
 */
import { sql } from 'kysely';
import type { SiteContext } from '../packages/server/src/core/context.ts';
import { bringFile } from '../packages/server/src/imports/csv-work.ts';
import { readVisitor } from '../packages/server/src/imports/visitor-rows.ts';
import { addAgent } from '../packages/server/src/sites/agents/agents.ts';
import { createSite } from '../packages/server/src/sites/sites.ts';
import { contextOf } from './context.ts';
import { type Figure, NONE, perSecond } from './figures.ts';
import { withDatabase } from './foyer.ts';

const ROWS = Number(process.env.FOYER_BENCH_ROWS ?? 50_000);
const COLUMNS = [
  { to: 'key' },
  { to: 'email' },
  { to: 'name' },
  { to: 'attribute', name: 'plan' },
  { to: 'attribute', name: 'city' },
] as const;

const personAt = (at: number): string =>
  `user_${at},user${at}@example.com,Name ${at},${at % 3 ? 'pro' : 'free'},City ${at % 100}`;
const FILE = Buffer.from(
  ['id,email,name,plan,city', ...Array.from({ length: ROWS }, (_, at) => personAt(at))].join('\n'),
);

/** Like an import that an admin has started. */
async function beginImport({ db, site }: SiteContext): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into imports (site_id, kind, agent_id, file_name, bytes, created_at, begun_at)
    select site_id, 'visitors', id, 'people.csv', ${FILE.length}, now(), now() from agents where site_id = ${site.id}
    returning id`.execute(db);
  return rows[0]?.id ?? 0;
}

export const imports = (): Promise<Figure[]> =>
  withDatabase(async ({ db }) => {
    const { id: siteId } = await createSite(db, { name: 'Bench', plan: 'growth' });
    const ctx = contextOf(db, siteId);
    await addAgent(ctx, { email: 'ada@bench.example', name: 'Ada', password: 'a horse and a battery' });
    const figures: Figure[] = [];
    for (const what of ['new', 'the same again']) {
      const work = {
        ...{ id: await beginImport(ctx), columns: COLUMNS, position: 0 },
        ...{ read: readVisitor, owner: 'people' as const },
      };
      const from = performance.now();
      await bringFile(ctx.quietly(), FILE, work);
      figures.push({
        what: `CSV of ${ROWS.toLocaleString('en')} visitors, ${what}`,
        ours: perSecond((ROWS * 1_000) / (performance.now() - from)),
        bare: NONE,
        ratio: NONE,
        wanted: '> 2,000/s',
      });
    }
    return figures;
  });
