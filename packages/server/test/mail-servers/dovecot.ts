import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, chown, mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, isListening } from '../foyer-process.ts';
import { until } from '../harness.ts';
import { SELF_SIGNED } from '../self-signed.ts';
import { dovecotProgram } from './installed.ts';
import { killGroup } from './processes.ts';

/** `nobody`: Dovecot serves no mail as root. */
const OWNER = 65_534;

export interface Dovecot {
  /** STARTTLS. */
  imapPort: number;
  /** TLS. */
  imapsPort: number;
  /** Postfix delivers here. */
  lmtpSocket: string;
  /** The mails of an account, in any order. */
  mailsOf(user: string): Promise<string[]>;
  /** Makes an account's mails look as if they had arrived at that time. */
  backdate(user: string, at: Date): Promise<void>;
  /** Gives the messages of a stopped server new UIDs, as moving the account to another server does. */
  renumber(user: string): Promise<void>;
  start(): Promise<void>;
  /** Ends all of its processes at once. */
  kill(): Promise<void>;
}

interface Places {
  folder: string;
  imapPort: number;
  imapsPort: number;
  lmtpSocket: string;
  authSocket: string;
}

/** Everything in its own folder. Failed sign-ins aren't slowed down: the test would only wait. */
const configuration = ({ folder, imapPort, imapsPort, lmtpSocket, authSocket }: Places): string => `
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
protocols = imap lmtp
listen = 127.0.0.1
ssl = required
ssl_cert = <${folder}/cert.pem
ssl_key = <${folder}/key.pem
auth_mechanisms = plain login
auth_failure_delay = 0
recipient_delimiter = +
first_valid_uid = ${OWNER}
mail_location = maildir:~/Maildir
passdb {
  driver = passwd-file
  args = ${folder}/users
}
userdb {
  driver = passwd-file
  args = ${folder}/users
}
service imap-login {
  inet_listener imap {
    port = ${imapPort}
  }
  inet_listener imaps {
    port = ${imapsPort}
    ssl = yes
  }
}
service lmtp {
  unix_listener ${lmtpSocket} {
    mode = 0666
  }
}
service auth {
  unix_listener ${authSocket} {
    mode = 0666
  }
}
service anvil {
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
`;

async function furnish(places: Places, users: Record<string, string>): Promise<void> {
  const { folder } = places;
  const mails = join(folder, 'mails');
  await mkdir(mails, { recursive: true });
  await chown(mails, OWNER, OWNER);
  const line = ([user, password]: [string, string]) =>
    `${user}:{PLAIN}${password}:${OWNER}:${OWNER}::${mails}/${user}`;
  await Promise.all([
    writeFile(join(folder, 'users'), `${Object.entries(users).map(line).join('\n')}\n`),
    writeFile(join(folder, 'cert.pem'), SELF_SIGNED.cert),
    writeFile(join(folder, 'key.pem'), SELF_SIGNED.key),
    writeFile(join(folder, 'dovecot.conf'), configuration(places)),
  ]);
}

/**
 * A Dovecot of its own in this folder, started as root, and signing in for Postfix too.
 * @param users the accounts with their passwords
 */
export async function startDovecot(
  folder: string,
  users: Record<string, string>,
  authSocket: string,
): Promise<Dovecot> {
  const [imapPort, imapsPort] = await Promise.all([freePort(), freePort()]);
  const lmtpSocket = join(folder, 'lmtp');
  await mkdir(folder);
  await chmod(folder, 0o755);
  await furnish({ folder, imapPort, imapsPort, lmtpSocket, authSocket }, users);
  const boxOf = (user: string): string => join(folder, 'mails', user, 'Maildir');
  const filesOf = async (user: string): Promise<string[]> => {
    const lists = ['new', 'cur'].map(async (part) => {
      const names = await readdir(join(boxOf(user), part)).catch(() => []);
      return names.map((name) => join(boxOf(user), part, name));
    });
    return (await Promise.all(lists)).flat();
  };
  const log = () => readFile(join(folder, 'log'), 'utf8').catch(() => '');
  let child: ChildProcess | undefined;

  const dovecot: Dovecot = {
    imapPort,
    imapsPort,
    lmtpSocket,
    async mailsOf(user) {
      return Promise.all((await filesOf(user)).map((file) => readFile(file, 'utf8')));
    },
    async backdate(user, at) {
      for (const file of await filesOf(user)) await utimes(file, at, at);
    },
    async renumber(user) {
      const names = await readdir(boxOf(user));
      for (const name of names.filter((one) => one.startsWith('dovecot')))
        await rm(join(boxOf(user), name), { recursive: true });
    },
    async start() {
      const arguments_ = ['-F', '-c', join(folder, 'dovecot.conf')];
      const started = spawn(dovecotProgram(), arguments_, { detached: true, stdio: 'ignore' });
      child = started;
      await until(async () => {
        if (started.exitCode !== null) throw new Error(`Dovecot ended: ${await log()}`);
        return isListening(imapsPort);
      });
    },
    kill: () => killGroup(child),
  };
  await dovecot.start();
  return dovecot;
}
