import { StartError } from '../base/start-error.ts';
import { openFolder } from './folder-place.ts';
import type { BackupPlace } from './place.ts';
import { openBucket } from './s3-place.ts';
import type { BackupAddress, S3Access } from './settings.ts';

/** @throws StartError without access to object storage, where that is needed */
export function openPlace(address: BackupAddress, access: S3Access | undefined): BackupPlace {
  if (address.kind === 'folder') return openFolder(address.folder);
  if (access) return openBucket(address, access);
  throw new StartError('Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to use object storage.');
}
