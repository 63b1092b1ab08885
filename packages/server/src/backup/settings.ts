import { isAbsolute } from 'node:path';
import { type Environment, refuse, wholeNumber } from '../base/environment.ts';
import { StartError } from '../base/start-error.ts';

/** Access to object storage, from the variables that other programs read too. */
export interface S3Access {
  /** Without the bucket and without a trailing slash. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Where backups are: a folder, or a prefix in a bucket, without slashes at its ends. */
export type BackupAddress =
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 's3'; readonly bucket: string; readonly prefix: string };

/** Backups that the server makes automatically: FOYER_BACKUP_TO and the variables that go with it. */
export interface ScheduledBackups {
  readonly to: BackupAddress;
  /** Minutes after midnight, UTC. */
  readonly atMinute: number;
  /** How many are kept; older ones are deleted. */
  readonly keep: number;
}

const S3_ADDRESS = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/;
const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/;
const AGE_RECIPIENT = /^age1[a-z0-9]{20,4000}$/;

/** Reads `s3://bucket/prefix`; undefined for anything else. */
export function readS3Address(text: string): Extract<BackupAddress, { kind: 's3' }> | undefined {
  const [, bucket, path = ''] = S3_ADDRESS.exec(text) ?? [];
  if (bucket === undefined) return undefined;
  return { kind: 's3', bucket, prefix: path.split('/').filter(Boolean).join('/') };
}

/** Undefined without keys. @throws StartError with one line that names the variable */
export function readS3Access(env: Environment): S3Access | undefined {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
  const region = env.AWS_REGION || 'us-east-1';
  const endpoint = env.AWS_ENDPOINT_URL || `https://s3.${region}.amazonaws.com`;
  if (!accessKeyId || !secretAccessKey) return undefined;
  if (!/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ''))
    throw new StartError('AWS_ENDPOINT_URL is invalid: expected an address that starts with https://');
  return Object.freeze({ endpoint: endpoint.replace(/\/$/, ''), region, accessKeyId, secretAccessKey });
}

/** The age public keys that backups are encrypted to; none: they aren't. @throws StartError */
export function readRecipients(env: Environment): readonly string[] {
  const given = (env.FOYER_BACKUP_RECIPIENTS ?? '').split(/[\s,]+/).filter(Boolean);
  const wrong = given.find((one) => !AGE_RECIPIENT.test(one));
  // A private key given by mistake must not be repeated.
  if (wrong !== undefined)
    throw new StartError(
      'FOYER_BACKUP_RECIPIENTS is invalid: expected age public keys, which start with age1, separated by commas',
    );
  return Object.freeze(given);
}

function readTo(env: Environment, value: string): BackupAddress {
  const s3 = readS3Address(value);
  if (s3) {
    if (readS3Access(env)) return Object.freeze(s3);
    throw new StartError(
      'FOYER_BACKUP_TO is invalid without AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY: set both',
    );
  }
  if (isAbsolute(value)) return Object.freeze({ kind: 'folder', folder: value });
  return refuse('FOYER_BACKUP_TO', value, 'the absolute path of a folder, or s3://bucket/prefix');
}

/** Undefined without FOYER_BACKUP_TO. @throws StartError with one line that names the variable */
export function readScheduledBackups(env: Environment): ScheduledBackups | undefined {
  const { FOYER_BACKUP_TO: to, FOYER_BACKUP_AT: at = '' } = env;
  const [, hours, minutes] = TIME.exec(at || '03:00') ?? [];
  if (hours === undefined || minutes === undefined)
    return refuse('FOYER_BACKUP_AT', at, 'a time of day (UTC), such as 03:00');
  const keep = wholeNumber(env, 'FOYER_BACKUP_KEEP', 14, 1, 1_000);
  if (!to) return undefined;
  return Object.freeze({ to: readTo(env, to), atMinute: Number(hours) * 60 + Number(minutes), keep });
}
