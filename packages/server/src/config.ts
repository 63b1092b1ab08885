import { isAbsolute, join, resolve } from 'node:path';
import { PLANS, type Plan } from '@foyer/protocol';
import ipaddr from 'ipaddr.js';
import { type EncoderPackage, readEncoderPackage } from './ai/encoder/encoder-package.ts';
import { type AiSettings, readAiSettings } from './ai/settings.ts';
import {
  readRecipients,
  readS3Access,
  readScheduledBackups,
  type S3Access,
  type ScheduledBackups,
} from './backup/settings.ts';
import { withoutEndSlashes } from './base/end-slashes.ts';
import { type Environment, refuse, wholeNumber } from './base/environment.ts';
import { StartError } from './base/start-error.ts';
import { STATEMENT_TIMEOUT_MS } from './db/database.ts';
import { withLibpqTls } from './db/tls.ts';
import { type MailServerSettings, readMailServerSettings } from './email/routes/smtp/settings.ts';
import { type ClamavSettings, readClamavSettings } from './files/clamav.ts';
import { type MailSignInSettings, readMailSignIn } from './mail/oauth/settings.ts';
import { type MailSettings, readMailSettings } from './mail/settings.ts';
import { type RedisAddress, readRedisAddress } from './redis/address.ts';
import { readSyslogAddress, type SyslogAddress } from './syslog/address.ts';

/** [OpenTelemetry](../../../docs/operations/tracing.md); its exporter reads the collector's address itself. */
export interface TracingSettings {
  readonly sampler: (typeof SAMPLERS)[number];
  /** The share of the traces that begin here, for the samplers by ratio: 0 to 1. */
  readonly ratio: number;
  /** How long spans are collected before they are sent. */
  readonly delayMs: number;
  /** Whether webhooks carry `traceparent`. */
  readonly sendsToReceivers: boolean;
}

export interface Config {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  /** Without a trailing slash. Every link is built from it. */
  readonly baseUrl: string;
  /** Whether FOYER_BASE_URL is set. Otherwise the address given during setup replaces `baseUrl`. */
  readonly isBaseUrlSet: boolean;
  /** The origin of files from strangers; undefined: that of `baseUrl`. */
  readonly filesUrl: string | undefined;
  /** Undefined: `secretCommand` prints it, or it is created on the first start and stored in the data folder. */
  readonly secret: string | undefined;
  /** Earlier values of FOYER_SECRET, the newest first: they still decrypt and verify. */
  readonly olderSecrets: readonly string[];
  /** A shell command that prints the secrets, one a line, the newest first. */
  readonly secretCommand: string | undefined;
  readonly databaseUrl: string | undefined;
  /** Undefined: DATABASE_URL is PostgreSQL itself. */
  readonly databaseDirectUrl: string | undefined;
  /** Undefined: DATABASE_URL answers reports and searches too. */
  readonly databaseReplicaUrl: string | undefined;
  readonly database: DatabaseSettings;
  /** Where the included PostgreSQL archives its write-ahead log; undefined: nowhere. */
  readonly walArchive: string | undefined;
  /** Undefined: the server makes no backups automatically. */
  readonly backups: ScheduledBackups | undefined;
  /** The age public keys that every backup is encrypted to; none: backups aren't encrypted. */
  readonly backupRecipients: readonly string[];
  /** Undefined: no object storage. */
  readonly s3: S3Access | undefined;
  /** Undefined: limits and notices use PostgreSQL. */
  readonly redis: RedisAddress | undefined;
  readonly role: 'all' | 'web' | 'worker';
  readonly logLevel: string;
  /** How long a process that is about to stop reports so before it stops accepting, in milliseconds. */
  readonly drainMs: number;
  /** How long the event loop may be blocked before the process is ended; 0: forever. */
  readonly watchdogMs: number;
  /**
   * The share of this process's event loop that a site's programs may use; beyond it they are refused for a moment. 0:
   * no limit.
   */
  readonly siteShareMax: number;
  /** The plan of new sites. The largest by default: your own installation has room for your whole team. */
  readonly plan: Plan;
  readonly queryToken: boolean;
  /** The bearer token of `/metrics`. Undefined: only private networks read it. */
  readonly metricsToken: string | undefined;
  /** Origins of other pages that may use `/mcp`. */
  readonly mcpOrigins: readonly string[];
  /** The limit of one site's files; null: no limit. */
  readonly siteFilesMaxBytes: number | null;
  /** Multiplies the limits of load at public entry points. */
  readonly limitFactor: number;
  readonly trustProxy: string | undefined;
  readonly webhooks: { readonly allowPrivate: boolean; readonly delaysMs: readonly number[] };
  /** Undefined: no email is sent. */
  readonly mail: MailSettings | undefined;
  /** The server that receives mail for mailboxes; undefined: none. */
  readonly mailServer: MailServerSettings | undefined;
  /** The registrations with which mailboxes sign in at Google and Microsoft. */
  readonly mailSignIn: MailSignInSettings;
  /** Undefined: security events are sent to no syslog server. */
  readonly syslog: SyslogAddress | undefined;
  /** Undefined: new passwords aren't checked for breaches. */
  readonly breachedPasswordsUrl: string | undefined;
  /** Hosts of identity providers that may have a private address, each with or without a port. */
  readonly ssoPrivateHosts: readonly string[];
  /** Undefined: files aren't scanned. */
  readonly clamav: ClamavSettings | undefined;
  /** Undefined: only the built-in bot answers. */
  readonly ai: AiSettings | undefined;
  /** Undefined: passages are found by meaning only if `ai` names an embedding model. */
  readonly encoder: EncoderPackage | undefined;
  /** A language model, the installation's or a site's, reads all articles if they have at most this many characters. */
  readonly aiArticlesMaxChars: number;
  /** Undefined: nothing is traced. */
  readonly tracing: TracingSettings | undefined;
}

/** How a process uses its database. */
export interface DatabaseSettings {
  readonly poolMax: number;
  readonly jobsPoolMax: number;
  readonly replicaPoolMax: number;
  readonly replicaMaxLagMs: number;
  readonly statementTimeoutMs: number;
  /** Undefined: unless there is a pooler. */
  readonly prepared: boolean | undefined;
}

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

function flag(env: Environment, name: string, fallback: boolean): boolean {
  const value = env[name];
  if (!value) return fallback;
  if (value === 'true' || value === '1') return true;
  if (value === 'false' || value === '0') return false;
  return refuse(name, value, 'true or false');
}

function oneOf<T extends string>(env: Environment, name: string, fallback: T, values: readonly T[]): T {
  const value = env[name];
  if (!value) return fallback;
  return values.find((known) => known === value) ?? refuse(name, value, `one of ${values.join(', ')}`);
}

function url(env: Environment, name: string, protocols: string[]): string | undefined {
  const value = env[name];
  if (!value) return undefined;
  const parsed = URL.parse(value);
  // The value may contain a password, so the message doesn't repeat it.
  if (!parsed || !protocols.includes(parsed.protocol)) {
    throw new StartError(
      `${name} is invalid: expected an address that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`,
    );
  }
  return value;
}

const databaseUrl = (env: Environment, name: string): string | undefined => {
  const value = url(env, name, ['postgres:', 'postgresql:']);
  return value && withLibpqTls(name, value);
};

/** A wrong copy of another line would look like a replica that has just been promoted. */
function replicaUrl(env: Environment): string | undefined {
  const name = 'DATABASE_REPLICA_URL';
  const value = databaseUrl(env, name);
  const serverOf = (address: string | undefined): string | undefined => address && URL.parse(address)?.host;
  for (const other of ['DATABASE_URL', 'DATABASE_DIRECT_URL'])
    if (value !== undefined && serverOf(value) === serverOf(env[other]))
      throw new StartError(`${name} is invalid: expected a server other than that of ${other}`);
  return value;
}

const databaseSettings = (env: Environment): DatabaseSettings =>
  Object.freeze({
    poolMax: wholeNumber(env, 'FOYER_DATABASE_POOL', 10, 2, 500),
    jobsPoolMax: wholeNumber(env, 'FOYER_DATABASE_JOBS_POOL', 4, 1, 100),
    replicaPoolMax: wholeNumber(env, 'FOYER_DATABASE_REPLICA_POOL', 10, 1, 500),
    replicaMaxLagMs: wholeNumber(env, 'FOYER_REPLICA_MAX_LAG_S', 10, 3, 3_600) * 1_000,
    statementTimeoutMs: wholeNumber(env, 'FOYER_STATEMENT_TIMEOUT_MS', STATEMENT_TIMEOUT_MS, 1_000, 600_000),
    prepared: env.FOYER_DATABASE_PREPARED ? flag(env, 'FOYER_DATABASE_PREPARED', true) : undefined,
  });

/** Origins as browsers send them: a scheme, a host and optionally a port, separated by commas. */
function origins(env: Environment, name: string): string[] {
  const value = env[name];
  if (!value) return [];
  const parts = value.split(',').map((part) => part.trim());
  const isOrigin = (part: string): boolean => /^https?:/.test(part) && URL.parse(part)?.origin === part;
  return parts.every(isOrigin) ? parts : refuse(name, value, 'origins such as https://inspector.example.com');
}

/** Names or addresses of servers, each with or without a port, separated by commas. */
function hosts(env: Environment, name: string): string[] {
  const value = env[name];
  if (!value) return [];
  const parts = value.split(',').map((part) => part.trim().toLowerCase());
  const isHost = (part: string): boolean => {
    // With a scheme whose default port is never used, the port stays in `host`.
    const url = URL.parse(`foyer://${part}`);
    return url?.host === part && part !== '';
  };
  return parts.every(isHost) ? parts : refuse(name, value, 'hosts such as login.internal or 10.0.0.5:8443');
}

/** A folder that is safe in a command of PostgreSQL's settings. */
function archiveFolder(env: Environment): string | undefined {
  const name = 'FOYER_WAL_ARCHIVE';
  const value = env[name];
  if (!value) return undefined;
  return /^\/[\w@.+/-]+$/.test(value)
    ? withoutEndSlashes(value)
    : refuse(name, value, 'an absolute path of letters, digits and _ @ . + - /');
}

const PROXY_NAMES = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** Addresses and networks whose forwarded headers are trusted, separated by commas. */
function proxies(env: Environment): string | undefined {
  const name = 'FOYER_TRUST_PROXY';
  const value = env[name];
  if (!value) return undefined;
  const isKnown = (part: string): boolean =>
    PROXY_NAMES.has(part) || ipaddr.isValid(part) || ipaddr.isValidCIDR(part);
  const all = value.split(',').every((part) => isKnown(part.trim()));
  return all ? value : refuse(name, value, 'addresses or networks such as 127.0.0.1, 10.0.0.0/8, loopback');
}

function delays(env: Environment): number[] {
  const name = 'FOYER_WEBHOOK_DELAYS';
  const value = env[name] || '30s,2m,10m,1h,6h';
  return value.split(',').map((part) => {
    const match = /^\s*(\d{1,6})(ms|s|m|h)\s*$/.exec(part);
    const unit = match?.[2] === undefined ? undefined : UNITS[match[2]];
    if (!match || unit === undefined) return refuse(name, value, 'delays such as 30s,2m,10m,1h,6h');
    return Number(match[1]) * unit;
  });
}

/** A number from 0 to 1. */
function share(env: Environment, name: string, fallback: number): number {
  const value = env[name];
  if (!value) return fallback;
  const parsed = /^\d?\.?\d+$/.test(value) ? Number(value) : Number.NaN;
  return parsed >= 0 && parsed <= 1 ? parsed : refuse(name, value, 'a number from 0 to 1');
}

/** Read by OpenTelemetry's own packages: the collector's address, and this process's name there. */
const OTEL_OWN = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_SERVICE_NAME',
  'OTEL_RESOURCE_ATTRIBUTES',
];
const OTEL_CHOICES = [
  'OTEL_SDK_DISABLED',
  'OTEL_EXPORTER_OTLP_PROTOCOL',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
  'OTEL_BSP_SCHEDULE_DELAY',
];

/** On if a collector is set. The other variables are only read then: they may be meant for other programs. */
function readTracing(all: Environment): TracingSettings | undefined {
  const env = Object.fromEntries([...OTEL_OWN, ...OTEL_CHOICES].map((name) => [name, all[name]]));
  const sendsToReceivers = flag(all, 'FOYER_TRACE_WEBHOOKS', false);
  const collectors = OTEL_OWN.slice(0, 2).map((name) => url(env, name, ['http:', 'https:']));
  if (collectors.every((one) => one === undefined) || flag(env, 'OTEL_SDK_DISABLED', false)) return undefined;
  oneOf(env, 'OTEL_EXPORTER_OTLP_PROTOCOL', 'http/protobuf', ['http/protobuf']);
  return Object.freeze({
    sampler: oneOf(env, 'OTEL_TRACES_SAMPLER', 'parentbased_always_on', SAMPLERS),
    ratio: share(env, 'OTEL_TRACES_SAMPLER_ARG', 1),
    delayMs: wholeNumber(env, 'OTEL_BSP_SCHEDULE_DELAY', 5_000, 1, 60_000),
    sendsToReceivers,
  });
}

const METRICS_TOKEN_MIN = 16;

function metricsToken(env: Environment): string | undefined {
  const token = env.FOYER_METRICS_TOKEN || undefined;
  if (token !== undefined && (token.length < METRICS_TOKEN_MIN || /\s/.test(token)))
    throw new StartError(
      `FOYER_METRICS_TOKEN must have at least ${METRICS_TOKEN_MIN} characters, and no spaces.`,
    );
  return token;
}

function siteFilesMax(env: Environment): number | null {
  const mebibytes = wholeNumber(env, 'FOYER_SITE_FILES_MB', 0, 0, 100_000_000);
  return mebibytes === 0 ? null : mebibytes * 1024 ** 2;
}

/** Cookies don't distinguish ports, so it needs a host of its own. */
function filesUrl(env: Environment): string | undefined {
  const name = 'FOYER_FILES_URL';
  const value = env[name];
  if (!value) return undefined;
  const parsed = URL.parse(withoutEndSlashes(value));
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.origin !== withoutEndSlashes(value))
    return refuse(name, value, 'an origin such as https://files.example.net');
  if (!env.FOYER_BASE_URL) throw new StartError(`${name} is invalid without FOYER_BASE_URL: set both`);
  if (URL.parse(env.FOYER_BASE_URL)?.hostname === parsed.hostname)
    return refuse(name, value, 'a host other than that of FOYER_BASE_URL');
  return parsed.origin;
}

const SECRET_MIN = 32;

function secrets(env: Environment): Pick<Config, 'secret' | 'olderSecrets' | 'secretCommand'> {
  const secret = env.FOYER_SECRET || undefined;
  const olderSecrets = env.FOYER_SECRET_OLD?.trim().split(/\s+/).filter(Boolean) ?? [];
  const secretCommand = env.FOYER_SECRET_COMMAND || undefined;
  for (const [name, values] of Object.entries({
    FOYER_SECRET: secret ? [secret] : [],
    FOYER_SECRET_OLD: olderSecrets,
  }))
    if (values.some(({ length }) => length < SECRET_MIN))
      throw new StartError(`${name} is invalid: expected at least ${SECRET_MIN} characters`);
  if (olderSecrets.length > 0 && secret === undefined)
    throw new StartError('FOYER_SECRET_OLD is invalid without FOYER_SECRET: set both');
  if (secret !== undefined && secretCommand !== undefined)
    throw new StartError('FOYER_SECRET_COMMAND is invalid with FOYER_SECRET: set one of them');
  return { secret, olderSecrets: Object.freeze(olderSecrets), secretCommand };
}

/**
 * Reads the settings from the environment. Nothing else reads `process.env`.
 * @throws StartError with one line that names the variable.
 */
export function readConfig(env: Environment = process.env): Config {
  const port = wholeNumber(env, 'PORT', 3000, 0, 65_535);
  const dataDir = env.FOYER_DATA_DIR || './data';
  for (const name of ['DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL'])
    if (env[name] && !env.DATABASE_URL)
      throw new StartError(`${name} is invalid without DATABASE_URL: set both`);
  const baseUrl = url(env, 'FOYER_BASE_URL', ['http:', 'https:']) ?? `http://localhost:${port}`;
  return Object.freeze({
    port,
    host: env.HOST || '127.0.0.1',
    dataDir: isAbsolute(dataDir) ? dataDir : resolve(dataDir),
    isBaseUrlSet: Boolean(env.FOYER_BASE_URL),
    baseUrl: withoutEndSlashes(baseUrl),
    filesUrl: filesUrl(env),
    ...secrets(env),
    databaseUrl: databaseUrl(env, 'DATABASE_URL'),
    databaseDirectUrl: databaseUrl(env, 'DATABASE_DIRECT_URL'),
    databaseReplicaUrl: replicaUrl(env),
    database: databaseSettings(env),
    walArchive: archiveFolder(env),
    backups: readScheduledBackups(env),
    backupRecipients: readRecipients(env),
    s3: readS3Access(env),
    redis: readRedisAddress(env.REDIS_URL),
    role: oneOf(env, 'FOYER_ROLE', 'all', ['all', 'web', 'worker']),
    logLevel: oneOf(env, 'LOG_LEVEL', 'info', LOG_LEVELS),
    drainMs: wholeNumber(env, 'FOYER_DRAIN_S', 0, 0, 300) * 1_000,
    siteFilesMaxBytes: siteFilesMax(env),
    limitFactor: wholeNumber(env, 'FOYER_LIMIT_FACTOR', 1, 1, 1_000),
    watchdogMs: wholeNumber(env, 'FOYER_WATCHDOG_S', 30, 0, 3_600) * 1_000,
    siteShareMax: wholeNumber(env, 'FOYER_SITE_CPU_PERCENT', 0, 0, 100) / 100,
    plan: oneOf(env, 'FOYER_PLAN', 'growth', PLANS),
    queryToken: flag(env, 'FOYER_QUERY_TOKEN', true),
    metricsToken: metricsToken(env),
    mcpOrigins: Object.freeze(origins(env, 'FOYER_MCP_ORIGINS')),
    trustProxy: proxies(env),
    webhooks: Object.freeze({
      allowPrivate: flag(env, 'FOYER_WEBHOOK_ALLOW_PRIVATE', false),
      delaysMs: Object.freeze(delays(env)),
    }),
    mail: readMailSettings(env),
    mailServer: readMailServerSettings(env),
    mailSignIn: readMailSignIn(env),
    syslog: readSyslogAddress(env),
    breachedPasswordsUrl: url(env, 'FOYER_BREACHED_PASSWORDS_URL', ['http:', 'https:']),
    ssoPrivateHosts: Object.freeze(hosts(env, 'FOYER_SSO_PRIVATE_HOSTS')),
    clamav: readClamavSettings(env),
    ai: readAiSettings(env),
    encoder: readEncoderPackage(env),
    aiArticlesMaxChars: wholeNumber(env, 'FOYER_AI_ARTICLES_MAX_CHARS', 32_000, 0, 10_000_000),
    tracing: readTracing(env),
  });
}

/** Whether npm runs this process, in a shell (`npm start`). */
export const isRunByNpm = (env: Environment = process.env): boolean => env.npm_lifecycle_event !== undefined;

/**
 * The demo has its own data folder inside the other one, so that it never mixes with a real installation, and makes no
 * backups. It logs only problems, so that its sign-in stays on the screen.
 */
export function readDemoConfig(env: Environment = process.env): Config {
  const dataDir = join(env.FOYER_DATA_DIR || './data', 'demo');
  return readConfig({
    ...env,
    FOYER_BACKUP_TO: undefined,
    FOYER_DATA_DIR: dataDir,
    LOG_LEVEL: env.LOG_LEVEL || 'warn',
  });
}
