import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { ifMissing } from '../base/missing-file.ts';
import { packageFile } from '../base/package-files.ts';

const MIGRATIONS = packageFile('migrations/');
const FILLS = new URL('fills/', MIGRATIONS);
const FILE = /^\d{4}_[a-z_]+\.sql$/;

/** Later migrations leave the previous version working: see `migration-rules.ts`. Earlier ones need not. */
export const LAST_UNRULED = 95;

/** First line of a migration that runs outside a transaction. */
const OUTSIDE = /^-- outside a transaction$/m;
/** First line of a fill that removes data that older versions read. */
const AFTER_OLDER = /^-- after older processes$/m;
const CONTRACT = /^-- contract: works with (\d{4}) and later$/m;

export interface Migration {
  number: number;
  file: string;
}

const listFiles = async (folder: URL): Promise<Migration[]> => {
  const files = await readdir(folder).catch(ifMissing<string[]>([]));
  return files
    .filter((file) => FILE.test(file))
    .sort()
    .map((file) => ({ number: Number(file.slice(0, 4)), file }));
};

/** The migrations of this program, in order. The first one is the baseline: the whole schema as of its number. */
export const listMigrations = (): Promise<Migration[]> => listFiles(MIGRATIONS);

/** Statements that fill what a migration added, one batch each: `migrations/fills`, named like their migrations. */
export const listFills = (): Promise<Migration[]> => listFiles(FILLS);

/** The text of a migration, as it is run. */
export const readMigration = ({ file }: Migration): Promise<string> =>
  readFile(new URL(file, MIGRATIONS), 'utf8');

/** The one statement of a fill. */
export const readFill = ({ file }: Migration): Promise<string> => readFile(new URL(file, FILLS), 'utf8');

/** Whether a fill has to wait until no older process is left. */
export const isAfterOlder = (text: string): boolean => AFTER_OLDER.test(text);

/** SHA-256 of a migration. A checkout with CRLF has the same one: Git changes line ends by the platform. */
export const checksumOf = (text: string): string => hash('sha256', text.replaceAll('\r\n', '\n'));

/** Whether its statements run without a transaction, as `create index concurrently` must. */
export const isOutsideTransaction = (text: string): boolean => OUTSIDE.test(text);

/** For a migration that removes what older versions use: the first version that doesn't, by its newest migration. */
export function contractOf(text: string): number | undefined {
  const found = CONTRACT.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** The oldest version, by its newest migration, that works on a database which has had this one. */
export const neededBy = ({ number }: Migration, text: string): number =>
  number <= LAST_UNRULED ? number : (contractOf(text) ?? 0);
