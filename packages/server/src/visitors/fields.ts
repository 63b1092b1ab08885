import { type AttributeKind, VISITOR_FIELDS_MAX, type VisitorFields } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import { knownRules } from './segments/cache.ts';
import { conditionsOf } from './segments/rules.ts';

/** Names are read from the newest visitors and events: names in use appear among them. */
const LOOKED_AT = 2_000;
const VALUES_MAX = 8;
const VALUE_CHARS_MAX = 60;

const KINDS: Readonly<Record<string, AttributeKind>> = {
  string: 'text',
  number: 'number',
  boolean: 'boolean',
  array: 'list',
};

interface NamedRow {
  name: string;
  kinds: string[];
  values: string[];
}

/**
 * The planner takes each visitor for a hundred attributes. Joining the values per name, rather than looking them up,
 * keeps its estimate below `jit_above_cost`: PostgreSQL would spend seconds compiling a statement of milliseconds.
 */
async function attributesTold({ db, site }: SiteContext): Promise<VisitorFields['attributes']> {
  const { rows } = await sql<NamedRow>`
    with told as (
      select a.key as name, jsonb_typeof(a.value) as kind,
        case when jsonb_typeof(a.value) <> 'array' and length(a.value #>> '{}') <= ${VALUE_CHARS_MAX} then a.value #>> '{}' end as value
      from (
        select attributes from visitors where site_id = ${site.id} and erased_at is null order by id desc limit ${LOOKED_AT}
      ) v, jsonb_each(v.attributes) a
    ), counted as (
      select name, value, count(*) as times, row_number() over (partition by name order by count(*) desc, value) as place
      from told where value is not null group by name, value having count(*) > 1
    ), common as (
      select name, array_agg(value order by place) as values from counted where place <= ${VALUES_MAX} group by name
    ), names as (
      select name, array_agg(distinct kind) as kinds, count(*) as times from told group by name
      order by times desc, name limit ${VISITOR_FIELDS_MAX}
    )
    select n.name, n.kinds, coalesce(c.values, '{}') as values
    from names n left join common c on c.name = n.name order by n.name`.execute(db);
  return rows.map(({ name, kinds, values }) => ({
    name,
    kinds: kinds.flatMap((kind) => KINDS[kind] ?? []),
    values,
  }));
}

async function eventsTold({ db, site }: SiteContext): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from (
      select name from visitor_events where site_id = ${site.id} order by id desc limit ${LOOKED_AT}
    ) newest group by name order by count(*) desc, name limit ${VISITOR_FIELDS_MAX}`.execute(db);
  return rows.map(({ name }) => name);
}

/** The names that rules and filters can use: attributes, events, and names in existing segments. */
export async function listFields(ctx: SiteContext): Promise<VisitorFields> {
  const [attributes, events, { segments }] = await Promise.all([
    attributesTold(ctx),
    eventsTold(ctx),
    knownRules(ctx.db, ctx.site.id),
  ]);
  const asked = segments.flatMap(({ rule }) => [...conditionsOf(rule)]);
  const askedEvents = asked.flatMap((one) => ('event' in one ? one.event : []));
  return { attributes, events: [...new Set([...events, ...askedEvents])].sort() };
}
