import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely';
import { type AppError, isUniqueViolation, nameTaken, notFound } from '../base/errors.ts';
import type { Tables } from '../db/tables.generated.ts';
import type { SiteContext } from './context.ts';
import type { Notice } from './domain-event.ts';

/** Tables whose rows are identified by a site and an id. */
type RecordTable = {
  [T in keyof Tables]: Selectable<Tables[T]> extends { site_id: number; id: number } ? T : never;
}[keyof Tables];

type Row<T extends RecordTable> = Selectable<Tables[T]>;
type Columns<T extends RecordTable> = Omit<Insertable<Tables[T]>, 'site_id'>;
/** Undefined leaves a column at its default. */
type Values<T extends RecordTable> = {
  [C in keyof Columns<T>]: Columns<T>[C] | (object extends Pick<Columns<T>, C> ? undefined : never);
};
/** Undefined leaves a column unchanged. */
type Change<T extends RecordTable> = {
  [C in Exclude<keyof Updateable<Tables[T]>, 'site_id' | 'id'>]?: Updateable<Tables[T]>[C] | undefined;
};

interface Options {
  /** The 409 for a record that a unique index refuses. By default: the name is taken. */
  conflict?: (name: string) => AppError;
  /** What every write reports, in its transaction. */
  notice?: Notice;
}

const given = (values: object): [column: string, value: unknown][] =>
  Object.entries(values).filter(([, value]) => value !== undefined);

/**
 * Reads and writes the records of a table, by their id within the caller's site. A missing record and another site's
 * record are both 404. A unique violation is 409; a domain whose table has several unique indexes has to distinguish
 * them itself.
 */
export class SiteRecords<T extends RecordTable> {
  readonly #table: RawBuilder<unknown>;
  readonly #called: string;
  readonly #conflict: (name: string) => AppError;
  readonly #notice: Notice | undefined;

  /** @param called the singular noun for error messages */
  constructor(table: T, called: string, { conflict, notice }: Options = {}) {
    this.#table = sql.table(table);
    this.#called = called;
    this.#conflict = conflict ?? ((name) => nameTaken(called, name));
    this.#notice = notice;
  }

  get(ctx: SiteContext, id: number): Promise<Row<T>> {
    return this.#one(ctx, sql`select * from ${this.#table} where ${this.#is(ctx, id)}`);
  }

  /**
   * Locks the record against other changes until the caller's transaction ends. Records that refer to it can still
   * be written.
   */
  lock(tx: SiteContext, id: number): Promise<Row<T>> {
    return this.#one(tx, sql`select * from ${this.#table} where ${this.#is(tx, id)} for no key update`);
  }

  /** Locks the record, so that nothing can begin to refer to it either: before it is deleted. */
  lockWhole(tx: SiteContext, id: number): Promise<Row<T>> {
    return this.#one(tx, sql`select * from ${this.#table} where ${this.#is(tx, id)} for update`);
  }

  insert(ctx: SiteContext, values: Values<T>): Promise<Row<T>> {
    const columns = given({ ...values, site_id: ctx.site.id });
    const names = sql.join(columns.map(([column]) => sql.ref(column)));
    const bound = sql.join(columns.map(([, value]) => value));
    return this.#write(ctx, values, sql`insert into ${this.#table} (${names}) values (${bound}) returning *`);
  }

  /**
   * Returns the record unchanged if there is nothing to change. `stamps` are set with any change: `{ updated_at }`.
   */
  update(ctx: SiteContext, id: number, change: Change<T>, stamps?: Change<T>): Promise<Row<T>> {
    if (given(change).length === 0) return this.get(ctx, id);
    const set = given({ ...change, ...stamps }).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
    const where = this.#is(ctx, id);
    return this.#write(
      ctx,
      change,
      sql`update ${this.#table} set ${sql.join(set)} where ${where} returning *`,
    );
  }

  async delete(ctx: SiteContext, id: number): Promise<{ id: number; deleted: true }> {
    await this.#write(ctx, {}, sql`delete from ${this.#table} where ${this.#is(ctx, id)} returning *`);
    return { id, deleted: true };
  }

  #is(ctx: SiteContext, id: number): RawBuilder<unknown> {
    return sql`site_id = ${ctx.site.id} and id = ${id}`;
  }

  async #one(ctx: SiteContext, statement: RawBuilder<Row<T>>): Promise<Row<T>> {
    const [row] = (await statement.execute(ctx.db)).rows;
    if (!row) throw notFound(this.#called);
    return row;
  }

  async #write(ctx: SiteContext, values: object, statement: RawBuilder<Row<T>>): Promise<Row<T>> {
    const notice = this.#notice;
    try {
      if (!notice) return await this.#one(ctx, statement);
      return await ctx.transaction(async (tx) => {
        const row = await this.#one(tx, statement);
        await tx.emit({ notices: [notice] });
        return row;
      });
    } catch (error) {
      if (isUniqueViolation(error)) throw this.#conflict('name' in values ? String(values.name) : '');
      throw error;
    }
  }
}
