import type { MessageAttachment } from '@foyer/protocol';
import { Download } from 'lucide-react';
import { cx } from '../../ui/classes.ts';
import { t } from './t.ts';

/** `12 KB`, `1.4 MB` */
export const sizeOf = (bytes: number): string =>
  bytes < 1024 * 1024
    ? t('kilobytes', { size: Math.max(1, Math.round(bytes / 1024)) })
    : t('megabytes', { size: Math.round(bytes / (1024 * 1024 * 0.1)) / 10 });

/** The same server under the name by which this page was loaded. */
const here = (url: string): string => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};

/** What came with a message: pictures that the server has drawn anew, and downloads. */
export function Files({ files, ours }: { files: readonly MessageAttachment[]; ours: boolean }) {
  if (files.length === 0) return null;
  return (
    <ul
      aria-label={t('files')}
      className={cx('mt-1 flex flex-col gap-1 first:mt-0', ours ? 'items-end' : 'items-start')}
    >
      {files.map(({ id, name, size, url, image }) => (
        <li key={id} className="max-w-full">
          {image ? (
            <a
              href={here(image.url)}
              target="_blank"
              rel="noopener noreferrer"
              aria-label={t('file_open', { name })}
            >
              <img
                src={here(image.url)}
                width={image.width}
                height={image.height}
                alt={name}
                loading="lazy"
                decoding="async"
                className="h-auto max-h-80 w-auto max-w-full rounded-lg border bg-surface object-contain"
              />
            </a>
          ) : (
            <a
              href={here(url)}
              download={name}
              aria-label={t('file_download', { name })}
              className="flex h-10 max-w-full items-center gap-2 rounded-lg border bg-surface px-3 hover:underline"
            >
              <Download aria-hidden className="size-4 shrink-0 text-soft" />
              <span className="min-w-0 truncate" dir="auto">
                {name}
              </span>
              <span className="shrink-0 text-soft text-xs">{sizeOf(size)}</span>
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}
