import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';

// The mail servers of most Linux distributions, which no package registry has.

const FOLDERS = ['/usr/sbin', '/usr/local/sbin'];
/** Postfix's daemons: Debian's, then others'. */
const POSTFIX_FOLDERS = ['/usr/lib/postfix/sbin', '/usr/libexec/postfix'];

const find = (name: string, folders: readonly string[]): string | undefined =>
  folders
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });

function programOf(name: string, folders = FOLDERS): string {
  const file = find(name, folders);
  if (file === undefined) throw new Error(`${name} is not installed`);
  return file;
}

export const dovecotProgram = (): string => programOf('dovecot');
/** Postfix's first process, which starts all others. */
export const postfixMaster = (): string => programOf('master', POSTFIX_FOLDERS);
export const postqueueProgram = (): string => programOf('postqueue');

/** What this machine lacks for them; undefined: nothing. */
function findMissing(): string | undefined {
  const programs = [find('dovecot', FOLDERS), find('postqueue', FOLDERS), find('master', POSTFIX_FOLDERS)];
  if (!programs.every(Boolean))
    return 'Install dovecot and postfix (Debian: dovecot-imapd, dovecot-lmtpd, postfix) to run these tests.';
  return process.getuid?.() === 0 ? undefined : 'Run these tests as root, which Postfix needs.';
}

/**
 * Whether to skip the tests that need Dovecot and Postfix. The run reports that; with
 * FOYER_TEST_MAIL_SERVERS=required they fail instead.
 */
export function lacksMailServers(): boolean {
  const missing = findMissing();
  if (missing === undefined) return false;
  if (process.env.FOYER_TEST_MAIL_SERVERS === 'required') throw new Error(missing);
  console.warn(`NOT TESTED: Dovecot and Postfix. ${missing}`);
  return true;
}
