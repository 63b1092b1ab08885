import pg from 'pg';

/** A statement as it was sent. */
export interface Sent {
  text: string;
  values: unknown[];
}

/** Records every statement of a pool whose connections are not open yet. */
export function noteStatements(pool: pg.Pool): Sent[] {
  const sent: Sent[] = [];
  pool.on('connect', (client) => {
    const query: (...args: unknown[]) => unknown = client.query.bind(client);
    Object.assign(client, {
      query: (...args: unknown[]) => {
        const [first, values] = args;
        if (typeof first !== 'string') throw new Error('a statement that this can not note');
        sent.push({ text: first, values: Array.isArray(values) ? values : [] });
        return query(...args);
      },
    });
  });
  return sent;
}

/** PostgreSQL's default `jit_above_cost`: it compiles what it estimates higher, which takes longer than any page. */
const COMPILED_COST = 100_000;

export interface PlanNode {
  'Node Type': string;
  'Total Cost': number;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: PlanNode[];
}

export interface Bounds {
  /** Tables that may be read as a whole. */
  small: ReadonlySet<string>;
  /** The maximum number of rows of one sort. */
  sorted: number;
  /** The maximum number of rows that one step reads. */
  read: number;
}

const rowsOf = (node: PlanNode): number => (node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 0);
const readBy = (node: PlanNode): number =>
  rowsOf(node) + (node['Rows Removed by Filter'] ?? 0) * (node['Actual Loops'] ?? 0);

/** The largest number of rows that a step reads, except for tables that may be read as a whole. */
export function mostRead(node: PlanNode, small: ReadonlySet<string>): number {
  const { 'Node Type': type, 'Relation Name': table = '', Plans: below = [] } = node;
  const own = /Scan$/.test(type) && table !== '' && !small.has(table) ? readBy(node) : 0;
  return below.reduce((most, one) => Math.max(most, mostRead(one, small)), own);
}

/** The faults of an executed plan. */
export function faultsOf(node: PlanNode, bounds: Bounds): string[] {
  const {
    'Node Type': type,
    'Relation Name': table = '',
    'Index Name': index = '',
    Plans: below = [],
  } = node;
  const faults = below.flatMap((one) => faultsOf(one, bounds));
  if (bounds.small.has(table)) return faults;
  if (type === 'Seq Scan') faults.push(`reads all of ${table}`);
  const sorted = below.reduce((most, one) => Math.max(most, rowsOf(one)), 0);
  if (/Sort$/.test(type) && type !== 'Incremental Sort' && sorted > bounds.sorted)
    faults.push(`sorts ${sorted} rows`);
  if (/Scan$/.test(type) && table !== '' && readBy(node) > bounds.read)
    faults.push(`reads ${readBy(node)} rows of ${table} ${index}`.trim());
  return faults;
}

const EXPLAIN = 'explain (analyze, timing off, format json)';

interface Explained {
  'QUERY PLAN': { Plan: PlanNode }[];
}

/** The faults of a statement's plan for exactly these values. */
export async function planFaults(
  client: pg.ClientBase,
  { text, values }: Sent,
  bounds: Bounds,
): Promise<string[]> {
  return faultsOfPlans(await client.query<Explained>(`${EXPLAIN} ${text}`, values), bounds);
}

/** Runs a statement by its plan for any values, which a prepared one may keep. @param explain `explain …` */
export async function explainGeneric<T extends pg.QueryResultRow>(
  client: pg.ClientBase,
  { text, values }: Sent,
  explain: string,
): Promise<pg.QueryResult<T>> {
  const literals = values.map((value) =>
    pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value)),
  );
  await client.query('set plan_cache_mode = force_generic_plan');
  await client.query(`prepare asked as ${text}`);
  const explained = await client.query<T>(
    `${explain} execute asked${literals.length > 0 ? ` (${literals})` : ''}`,
  );
  await client.query('deallocate asked');
  await client.query('reset plan_cache_mode');
  return explained;
}

/** The faults of that plan. */
export async function genericPlanFaults(
  client: pg.ClientBase,
  sent: Sent,
  bounds: Bounds,
): Promise<string[]> {
  return faultsOfPlans(await explainGeneric<Explained>(client, sent, EXPLAIN), bounds);
}

function faultsOfPlans({ rows }: pg.QueryResult<Explained>, bounds: Bounds): string[] {
  return (rows[0]?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => [
    ...faultsOf(Plan, bounds),
    ...(Plan['Total Cost'] > COMPILED_COST ? [`is estimated at ${Plan['Total Cost']}, and compiled`] : []),
  ]);
}
