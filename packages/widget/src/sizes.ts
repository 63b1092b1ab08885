import { say } from './strings.ts';

const MB = 1024 * 1024;

/** `12 KB`, `1.4 MB`: at least 1 KB. */
export const fileSize = (bytes: number): string =>
  bytes < MB
    ? say('bytes_kb', { size: Math.max(1, Math.round(bytes / 1024)) })
    : say('bytes_mb', { size: Math.round((bytes / MB) * 10) / 10 });
