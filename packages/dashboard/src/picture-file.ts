import { PICTURE_MAX_BYTES } from '@foyer/protocol/values/bounds';
import { t } from './ui/forms/t.ts';

/** Formats that the server can encode again. */
export const PICTURE_TYPES = 'image/png,image/jpeg,image/gif,image/webp';

/**
 * An image in the form that operations accept.
 * @throws Error with a sentence for people, if the server would refuse the file anyway
 */
export async function base64OfPicture(file: File): Promise<string> {
  if (!PICTURE_TYPES.split(',').includes(file.type)) throw new Error(t('picture_kind', { name: file.name }));
  if (file.size > PICTURE_MAX_BYTES)
    throw new Error(t('picture_large', { name: file.name, megabytes: PICTURE_MAX_BYTES / 1024 ** 2 }));
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000)
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}
