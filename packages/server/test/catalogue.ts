import pg from 'pg';

/** One line for everything that the migrations define, as PostgreSQL writes it. */
const CATALOGUE = `
  with ours as (select oid, relname, relkind, reloptions from pg_class where relnamespace = 'public'::regnamespace)
  select concat_ws(' ', 'table', relname, reloptions) as line from ours where relkind = 'r'
  union all
  select concat_ws(' ', 'column', o.relname, row_number() over (partition by o.oid order by a.attnum), a.attname,
    format_type(a.atttypid, a.atttypmod), case when a.attnotnull then 'not null' end,
    'default ' || pg_get_expr(d.adbin, d.adrelid), 'identity ' || nullif(a.attidentity::text, ''),
    'generated ' || nullif(a.attgenerated::text, ''), 'storage ' || a.attstorage::text)
  from ours o join pg_attribute a on a.attrelid = o.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = o.oid and d.adnum = a.attnum
  where o.relkind = 'r'
  union all
  select concat_ws(' ', 'constraint', o.relname, k.conname, pg_get_constraintdef(k.oid), k.convalidated)
  from pg_constraint k join ours o on o.oid = k.conrelid
  union all
  select pg_get_indexdef(i.indexrelid) from pg_index i join ours o on o.oid = i.indexrelid
  union all
  select pg_get_functiondef(p.oid) from pg_proc p
  where p.pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  union all
  select pg_get_triggerdef(t.oid) from pg_trigger t join ours o on o.oid = t.tgrelid where not t.tgisinternal
  union all
  select concat_ws(' ', 'sequence', o.relname, s.seqtypid::regtype, s.seqstart, s.seqincrement)
  from pg_sequence s join ours o on o.oid = s.seqrelid
  union all
  select concat_ws(' ', 'relation', relkind, relname) from ours where relkind not in ('r', 'i', 'S')
  union all
  select 'extension ' || extname from pg_extension
  order by line`;

/** Tables, columns in their order, constraints, indexes, functions, triggers, sequences and extensions. */
export async function catalogueOf(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ line: string }>(CATALOGUE).finally(() => client.end());
  return rows.map(({ line }) => line);
}
