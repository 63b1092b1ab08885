import type { Message, MessageAttachment } from '@foyer/protocol';
import { getRouteApi } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useDesk } from '../../../desk/DeskContext.tsx';
import { lazyPart } from '../../../lazy-part.ts';
import { cx } from '../../../ui/classes.ts';
import { t } from '../t.ts';

const LostPicture = lazyPart(() => import('./LostPicture.tsx'), 'LostPicture');

const route = getRouteApi('/desk/inbox/$sessionId');

/** Replaces the button that had the focus. */
const focus = (link: HTMLElement | null): void => link?.focus();

/** `12 KB`, `1.4 MB` */
export const sizeOf = (bytes: number): string =>
  bytes < 1024 * 1024
    ? t('kilobytes', { size: Math.max(1, Math.round(bytes / 1024)) })
    : t('megabytes', { size: Math.round(bytes / (1024 * 1024 * 0.1)) / 10 });

/** The URL with the host name by which this page was loaded. */
const here = (url: string): string => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};

/** The files of a message: images encoded by the server, and downloads. */
export function Files({ message, ours }: { message: Message; ours: boolean }) {
  const { attachments: files, seq } = message;
  if (files.length === 0) return null;
  return (
    <ul
      aria-label={t('files')}
      className={cx('mt-1 flex flex-col gap-1 first:mt-0', ours ? 'items-end' : 'items-start')}
    >
      {files.map(({ id, name, size, url, image }) => (
        <li key={id} className="max-w-full">
          {image ? (
            <Picture name={name} image={image} seq={seq} />
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

interface PictureProps {
  name: string;
  image: NonNullable<MessageAttachment['image']>;
  seq: number;
}

/** Its link expires within a day: in a chat open for longer, the message is loaded again for a new one. */
function Picture({ name, image: { url, width, height }, seq }: PictureProps) {
  const { sessionId } = route.useParams();
  const { live } = useDesk();
  const [failed, setFailed] = useState<string>();
  const [asked, setAsked] = useState(false);
  const again = (): void => {
    setAsked(true);
    setFailed(undefined);
    live.readAgain(sessionId, seq);
  };
  if (failed === url)
    return (
      <Suspense>
        <LostPicture name={name} asked={asked} onAgain={again} />
      </Suspense>
    );
  return (
    <a
      ref={asked ? focus : undefined}
      href={here(url)}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={t('file_open', { name })}
    >
      <img
        // A failure of the old link says nothing about the new one.
        key={url}
        src={here(url)}
        width={width}
        height={height}
        alt={name}
        loading="lazy"
        decoding="async"
        onError={() => setFailed(url)}
        className="h-auto max-h-80 w-auto max-w-full rounded-lg border bg-surface object-contain"
      />
    </a>
  );
}
