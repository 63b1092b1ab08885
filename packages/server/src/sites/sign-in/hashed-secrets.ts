import type { DBAdapter, DBTransactionAdapter, Where } from 'better-auth';
import { hashSecret } from '../../base/secret-token.ts';

/** better-auth's secrets that browsers have, by its models: each signs its bearer in. */
const SECRETS: Record<string, string> = { session: 'token', verification: 'identifier' };
const PREFIX = 'sha256:';
/**
 * Stored hashes are no secrets, and must not be accepted as such. The last two are ours, see `password-resets.ts` and
 * `single-sign-on/flows.ts`.
 */
const STORED = /^(?:sha256|reset-link|provider-sign-in):/;

/** What is stored instead of a secret of better-auth. The fill of migration 0136 writes the same. */
export const storedForm = (secret: string): string => `${PREFIX}${hashSecret(secret).toString('hex')}`;

/** The possible stored forms of a secret: earlier versions store it unchanged. */
const formsOf = (secret: string): string[] =>
  STORED.test(secret) ? [storedForm(secret)] : [storedForm(secret), secret];

type Row = Record<string, unknown>;
interface Query {
  model: string;
  where?: Where[] | undefined;
}

/** The secrets that a condition names. @throws Error for a condition that a hash can't answer */
function namedSecrets({ operator = 'eq', value }: Where): string[] {
  if (operator === 'eq' && typeof value === 'string') return [value];
  if (operator === 'in' && Array.isArray(value)) return value.map(String);
  throw new Error(`better-auth looks for secrets by ${operator}, which hashes don't answer`);
}

/** The query by stored forms, and the secrets by the forms that it may find. */
function asStored<Q extends Query>(query: Q): { stored: Q; secrets: Map<string, string> } {
  const field = SECRETS[query.model];
  const secrets = new Map<string, string>();
  if (field === undefined || !query.where) return { stored: query, secrets };
  const where = query.where.map((condition): Where => {
    if (condition.field !== field) return condition;
    const forms = namedSecrets(condition).flatMap((secret) => {
      const found = formsOf(secret);
      for (const form of found) secrets.set(form, secret);
      return found;
    });
    return { ...condition, operator: 'in', value: forms };
  });
  return { stored: { ...query, where }, secrets };
}

/** A row as better-auth expects it: with the secret that it searched for. The secrets of other rows are unknown. */
function asAsked<R>(row: R, model: string, secrets: Map<string, string>): R {
  const field = SECRETS[model];
  if (field === undefined || row === null || typeof row !== 'object') return row;
  const secret = secrets.get(String((row as Row)[field]));
  return secret === undefined ? row : { ...row, [field]: secret };
}

/** @param suitsOlder whether a process runs that finds only unhashed secrets */
function hashing(inner: DBTransactionAdapter, suitsOlder: () => Promise<boolean>): DBTransactionAdapter {
  const one = async <Q extends Query, R>(query: Q, find: (query: Q) => Promise<R>): Promise<R> => {
    const { stored, secrets } = asStored(query);
    return asAsked(await find(stored), query.model, secrets);
  };
  return {
    ...inner,
    async create(query) {
      const field = SECRETS[query.model];
      const secret = field === undefined ? undefined : (query.data as Row)[field];
      if (field === undefined || typeof secret !== 'string' || (await suitsOlder()))
        return inner.create(query);
      const form = storedForm(secret);
      const created = await inner.create({ ...query, data: { ...query.data, [field]: form } });
      return asAsked(created as never, query.model, new Map([[form, secret]]));
    },
    async findMany(query) {
      const { stored, secrets } = asStored(query);
      const rows = await inner.findMany<never>(stored);
      return rows.map((row) => asAsked(row, query.model, secrets));
    },
    findOne: (query) => one(query, inner.findOne<never>),
    update: (query) => one(query, inner.update<never>),
    consumeOne: (query) => one(query, inner.consumeOne<never>),
    incrementOne: (query) => one(query, inner.incrementOne<never>),
    count: (query) => inner.count(asStored(query).stored),
    updateMany: (query) => inner.updateMany(asStored(query).stored),
    delete: (query) => inner.delete(asStored(query).stored),
    deleteMany: (query) => inner.deleteMany(asStored(query).stored),
  };
}

/**
 * Stores only hashes of the secrets with which browsers sign in, and finds rows by either form: rows of earlier
 * versions stay valid, and a fill hashes the lasting ones. Better-auth can hash the identifiers of verifications
 * itself, but accepts the stored value in place of the secret.
 */
export function hashSecrets(adapter: DBAdapter, suitsOlder: () => Promise<boolean>): DBAdapter {
  return {
    ...hashing(adapter, suitsOlder),
    transaction: (work) => adapter.transaction((transaction) => work(hashing(transaction, suitsOlder))),
  };
}
