import type { MessageAttachment } from '@foyer/protocol';
import { useState } from 'preact/hooks';
import { fileSize } from '../../sizes.ts';
import { say } from '../../strings.ts';
import '../../style/files.ts';
import { FILE, Icon } from '../Icons.tsx';

/** The URL with the host name by which this page was loaded. */
const here = (url: string): string => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};

/** The files of a message: images encoded by the server, and downloads. */
export const Files = ({ files }: { files: readonly MessageAttachment[] }) => (
  <ul class="files" aria-label={say('files')}>
    {files.map((file) => (
      <li key={file.id}>
        <OneFile file={file} />
      </li>
    ))}
  </ul>
);

const OneFile = ({ file }: { file: MessageAttachment }) => {
  const { image, name, size, url } = file;
  // Its link may have expired in a page that was open for a day.
  const [isBroken, setBroken] = useState(false);
  if (image && !isBroken) {
    return (
      <a
        class="file-image"
        href={here(image.url)}
        target="_blank"
        rel="noopener noreferrer"
        aria-label={say('file_open', { name })}
      >
        <img
          src={here(image.url)}
          width={image.width}
          height={image.height}
          alt={name}
          loading="lazy"
          decoding="async"
          onError={() => setBroken(true)}
        />
      </a>
    );
  }
  return (
    <a
      class="file"
      href={here(url)}
      download={name}
      // People who use voice control say what they read.
      aria-label={say('file_download', { name: `${name} ${fileSize(size)}` })}
    >
      <Icon path={FILE} size={18} />
      <span class="file-name" dir="auto">
        {name}
      </span>
      <span class="file-size">{fileSize(size)}</span>
    </a>
  );
};
