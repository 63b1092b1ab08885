declare module 'pg-copy-streams' {
  import type { Readable, Writable } from 'node:stream';
  import type { Connection, Submittable } from 'pg';

  interface CopyQuery extends Submittable {
    submit(connection: Connection): void;
    /** Available once it has ended. */
    rowCount: number;
  }
  export function to(statement: string): Readable & CopyQuery;
  export function from(statement: string): Writable & CopyQuery;
}
