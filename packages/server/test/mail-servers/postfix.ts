import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, chown, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { freePort, isListening } from '../foyer-process.ts';
import { until } from '../harness.ts';
import { SELF_SIGNED } from '../self-signed.ts';
import { postfixMaster, postqueueProgram } from './installed.ts';
import { killGroup, run } from './processes.ts';

export interface Postfix {
  /** For other servers and their customers: only for the domains below. */
  smtpPort: number;
  /** For own users, who sign in over STARTTLS. */
  submissionPort: number;
  /** How many mails it keeps after an attempt that failed. */
  deferred(): Promise<number>;
  /** Tries those again. */
  flush(): Promise<void>;
  log(): Promise<string>;
  close(): Promise<void>;
}

export interface PostfixOptions {
  folder: string;
  /** The domains of these addresses are its own; every other recipient there is rejected. */
  addresses: readonly string[];
  lmtpSocket: string;
  /** Relays the domain to the port. */
  relay: { domain: string; port: number };
}

interface Places extends PostfixOptions {
  smtpPort: number;
  submissionPort: number;
}

/** Where Dovecot signs in Postfix's users. */
export const authSocketOf = (folder: string): string => join(folder, 'queue', 'private', 'auth');

/** Everything in its own folder. Without an open relay: only users who have signed in may write to other domains. */
const mainConfiguration = ({ folder, addresses, lmtpSocket, relay }: Places): string => `
compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
daemon_directory = ${dirname(postfixMaster())}
command_directory = ${dirname(postqueueProgram())}
maillog_file = ${folder}/log
maillog_file_prefixes = ${folder}
myhostname = mail.shop.test
mydestination =
mynetworks =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
alias_maps =
alias_database =
recipient_delimiter = +
smtpd_peername_lookup = no
virtual_mailbox_domains = ${[...new Set(addresses.map((one) => one.split('@')[1]))].join(' ')}
virtual_mailbox_maps = texthash:${folder}/addresses
virtual_transport = lmtp:unix:${lmtpSocket}
relay_domains = ${relay.domain}
relay_recipient_maps =
transport_maps = texthash:${folder}/transport
smtp_tls_security_level = encrypt
smtp_tls_loglevel = 1
smtpd_tls_security_level = may
smtpd_tls_cert_file = ${folder}/cert.pem
smtpd_tls_key_file = ${folder}/key.pem
smtpd_tls_auth_only = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = ${authSocketOf(folder)}
smtpd_relay_restrictions = permit_sasl_authenticated, reject_unauth_destination
`;

/** Without chroot, whose folders only the distribution's scripts fill. */
const services = ({ smtpPort, submissionPort }: Places): string => `
127.0.0.1:${smtpPort} inet n - n - - smtpd
127.0.0.1:${submissionPort} inet n - n - - smtpd
  -o smtpd_sasl_auth_enable=yes
  -o smtpd_tls_security_level=encrypt
  -o smtpd_client_restrictions=permit_sasl_authenticated,reject
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
proxywrite unix - - n - 1 proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`;

const QUEUES = ['active', 'bounce', 'corrupt', 'defer', 'deferred', 'flush', 'hold', 'incoming'];

async function idOf(kind: 'user' | 'group', name: string): Promise<number> {
  const { stdout } = await run('getent', [kind === 'user' ? 'passwd' : 'group', name]);
  return Number(stdout.split(':')[2]);
}

/** The folders that the distribution's scripts would make, with their owners. */
async function makeFolders(folder: string): Promise<void> {
  const [owner, dropGroup] = await Promise.all([idOf('user', 'postfix'), idOf('group', 'postdrop')]);
  const make = async (name: string, mode: number, user = owner, group = 0): Promise<void> => {
    await mkdir(join(folder, name));
    await chown(join(folder, name), user, group);
    await chmod(join(folder, name), mode);
  };
  await make('queue', 0o755, 0);
  await make('data', 0o700);
  for (const name of [...QUEUES, 'private', 'saved', 'trace']) await make(`queue/${name}`, 0o700);
  await make('queue/maildrop', 0o730, owner, dropGroup);
  await make('queue/public', 0o710, owner, dropGroup);
  await make('queue/pid', 0o755, 0);
}

/** Prepares the folder, so that Dovecot can put its socket there. */
export async function preparePostfix(folder: string): Promise<void> {
  await mkdir(folder);
  await chmod(folder, 0o755);
  await makeFolders(folder);
}

/** A Postfix of its own in a prepared folder, started as root. */
export async function startPostfix(options: PostfixOptions): Promise<Postfix> {
  const { folder, addresses, relay } = options;
  const [smtpPort, submissionPort] = await Promise.all([freePort(), freePort()]);
  const places = { ...options, smtpPort, submissionPort };
  await Promise.all([
    writeFile(join(folder, 'main.cf'), mainConfiguration(places)),
    writeFile(join(folder, 'master.cf'), services(places)),
    writeFile(join(folder, 'addresses'), addresses.map((one) => `${one} accepted\n`).join('')),
    writeFile(join(folder, 'transport'), `${relay.domain} smtp:[127.0.0.1]:${relay.port}\n`),
    writeFile(join(folder, 'cert.pem'), SELF_SIGNED.cert),
    writeFile(join(folder, 'key.pem'), SELF_SIGNED.key),
  ]);
  const log = () => readFile(join(folder, 'log'), 'utf8').catch(() => '');
  // It ends its process group with itself.
  const child: ChildProcess = spawn(postfixMaster(), ['-s', '-c', folder], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (printed += String(text)));
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`Postfix ended: ${printed}${await log()}`);
    return isListening(submissionPort);
  });
  return {
    smtpPort,
    submissionPort,
    deferred: async () => {
      const found = await readdir(join(folder, 'queue', 'deferred'), {
        recursive: true,
        withFileTypes: true,
      });
      return found.filter((entry) => entry.isFile()).length;
    },
    flush: async () => void (await run(postqueueProgram(), ['-c', folder, '-f'])),
    log,
    close: () => killGroup(child),
  };
}
