import { type Node, parse, type RawStmt } from 'libpg-query';

/** A migration, or the statement of a fill. */
export interface MigrationText {
  file: string;
  text: string;
}

type Statement = NonNullable<RawStmt['stmt']>;
/** Of one kind of statement, its fields. */
type Fields = Record<string, unknown>;

/** Changes of a column or table that the previous version would notice, by the parser's name for them. */
const CONTRACTING: Readonly<Record<string, string>> = {
  AT_DropColumn: 'drops a column',
  AT_AlterColumnType: 'changes the type of a column',
  AT_SetNotNull: 'requires a value in a column',
};
const VOLATILE = /^(gen_random_uuid|random|clock_timestamp|nextval|uuidv7|timeofday)$/;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Everything of that name in a parsed statement, at any depth. */
function* findAll(node: unknown, name: string): Generator<Fields> {
  if (Array.isArray(node)) for (const one of node) yield* findAll(one, name);
  else if (isObject(node))
    for (const [key, value] of Object.entries(node)) {
      if (key === name && isObject(value)) yield value;
      yield* findAll(value, name);
    }
}

const relationOf = (fields: Fields): string => {
  const { relation } = fields;
  return isObject(relation) ? String(relation.relname) : '';
};

const constraintsOf = (column: Fields): Fields[] => [...findAll(column.constraints, 'Constraint')];

function problemsOfColumn(column: Fields): string[] {
  const constraints = constraintsOf(column);
  const kinds = constraints.map(({ contype }) => contype);
  const problems: string[] = [];
  if (kinds.includes('CONSTR_NOTNULL') && !kinds.includes('CONSTR_DEFAULT'))
    problems.push('adds a column that needs a value, which the previous version does not give');
  for (const { contype, raw_expr, skip_validation } of constraints) {
    const calls = [...findAll(raw_expr, 'FuncCall')].flatMap(({ funcname }) => [
      ...findAll(funcname, 'String'),
    ]);
    if (contype === 'CONSTR_DEFAULT' && calls.some(({ sval }) => VOLATILE.test(String(sval))))
      problems.push('adds a column whose default differs by row, which rewrites the table');
    if (contype === 'CONSTR_GENERATED' || contype === 'CONSTR_IDENTITY')
      problems.push('adds a generated column, which rewrites the table');
    if (contype === 'CONSTR_UNIQUE' || contype === 'CONSTR_PRIMARY')
      problems.push('adds a unique column, whose index locks the table while it is built');
    if (
      (contype === 'CONSTR_FOREIGN' || contype === 'CONSTR_CHECK') &&
      !skip_validation &&
      !isNullable(column)
    )
      problems.push('adds a column whose constraint reads the whole table');
  }
  return problems;
}

/** A new column without a default is null in every row, so its constraint has nothing to check. */
const isNullable = (column: Fields): boolean =>
  !constraintsOf(column).some(({ contype }) => contype === 'CONSTR_DEFAULT');

function problemsOfAlter(fields: Fields): string[] {
  return [...findAll(fields.cmds, 'AlterTableCmd')].flatMap(({ subtype, def }) => {
    const contracting = CONTRACTING[String(subtype)];
    if (contracting) return [contracting];
    if (!isObject(def)) return [];
    if (subtype === 'AT_AddColumn' && isObject(def.ColumnDef)) return problemsOfColumn(def.ColumnDef);
    if (subtype === 'AT_AddConstraint' && isObject(def.Constraint)) {
      const { contype, skip_validation, indexname } = def.Constraint;
      const needsIndex = contype === 'CONSTR_UNIQUE' || contype === 'CONSTR_PRIMARY';
      if (needsIndex && indexname === undefined)
        return ['adds a unique constraint, whose index locks the table: build it concurrently first'];
      if (!needsIndex && !skip_validation)
        return ['adds a constraint that reads the whole table: "not valid" first'];
    }
    return [];
  });
}

/** Changes of a migration to existing tables that the previous version or its users would notice. */
function problemsOf(statement: Statement, isNew: (table: string) => boolean): string[] {
  const [[kind = '', value] = []] = Object.entries(statement as Record<string, unknown>);
  const fields = isObject(value) ? value : {};
  const table = relationOf(fields);
  switch (kind) {
    case 'DropStmt':
      return fields.removeType === 'OBJECT_INDEX' ? [] : ['drops what the previous version may use'];
    case 'RenameStmt':
      return isNew(table) ? [] : ['renames what the previous version uses'];
    case 'AlterTableStmt':
      return isNew(table) ? [] : problemsOfAlter(fields);
    case 'IndexStmt':
      return isNew(table) || fields.concurrent ? [] : ['builds an index that locks the table'];
    case 'UpdateStmt':
    case 'DeleteStmt':
    case 'InsertStmt':
      return isNew(table) || !writesMany(kind, fields) ? [] : ['changes many rows at once: write a fill'];
    default:
      return [];
  }
}

const writesMany = (kind: string, fields: Fields): boolean =>
  kind !== 'InsertStmt' ||
  ![...findAll(fields.selectStmt, 'SelectStmt')].some(({ valuesLists }) => valuesLists);

/** In a migration outside a transaction, all statements must be repeatable. */
function problemsOutside(statement: Statement): string[] {
  if ('IndexStmt' in statement) {
    const { concurrent, if_not_exists, idxname } = statement.IndexStmt;
    return concurrent && if_not_exists && idxname ? [] : ['needs "concurrently if not exists" and a name'];
  }
  if ('DropStmt' in statement) {
    const { concurrent, missing_ok, removeType } = statement.DropStmt;
    if (removeType === 'OBJECT_INDEX')
      return concurrent && missing_ok ? [] : ['needs "drop index concurrently if exists"'];
  }
  return ['does something else than building or dropping indexes outside a transaction'];
}

/** Where a migration breaks the rules of upgrades, one line each, with the file and what to do. */
export async function migrationProblems(
  { file, text }: MigrationText,
  header: { outside: boolean; contract: number | undefined },
): Promise<string[]> {
  const number = Number(file.slice(0, 4));
  const { stmts = [] } = await parse(text);
  const statements = stmts.flatMap(({ stmt }) => (stmt ? [stmt] : []));
  const made = new Set([...findAll(statements, 'CreateStmt')].map(relationOf));
  const name = (problem: string): string => `${file} ${problem}`;
  if (header.outside) return statements.flatMap(problemsOutside).map(name);
  const indexes = statements.filter((one) => 'IndexStmt' in one && one.IndexStmt.concurrent);
  if (indexes.length > 0)
    return [name('builds an index concurrently, which needs "-- outside a transaction"')];
  if (header.contract !== undefined)
    return header.contract < number ? [] : [name('must work with an earlier version')];
  return statements.flatMap((statement) => problemsOf(statement, (table) => made.has(table))).map(name);
}

/** Where a fill can't run again and again in small steps. */
export async function fillProblems({ file, text }: MigrationText): Promise<string[]> {
  const { stmts = [] } = await parse(text);
  const [first] = stmts;
  if (stmts.length !== 1 || !first?.stmt) return [`${file} must be one statement`];
  const kind = Object.keys(first.stmt as Node)[0] ?? '';
  if (!['UpdateStmt', 'InsertStmt', 'DeleteStmt'].includes(kind)) return [`${file} must change rows`];
  return /\blimit\s+\d+/i.test(text) ? [] : [`${file} must handle a limited number of rows`];
}
