import { File as FileIcon, Paperclip, RotateCw, X } from 'lucide-react';
import { type ClipboardEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useDesk } from '../../../desk/DeskContext.tsx';
import { carriesFiles } from '../../../desk/file-guard.ts';
import type { ChatFile } from '../../../live/chat-files.ts';
import { cx } from '../../../ui/classes.ts';
import { Tip } from '../../../ui/Tip.tsx';
import { sizeOf } from '../chat/Files.tsx';
import { t } from './t.ts';

/** The files for the next reply of a chat or ticket. */
export function useChatFiles(place: string): readonly ChatFile[] {
  const { files } = useDesk();
  return useSyncExternalStore(files.subscribe, () => files.of(place));
}

/** Files dropped anywhere beside a chat or ticket, or pasted into its box. */
export function useGivenFiles(add: ((files: File[]) => void) | undefined) {
  const [over, setOver] = useState(false);
  const take = useRef(add);
  take.current = add;
  useEffect(() => {
    const hold = (event: DragEvent): void => {
      if (!carriesFiles(event) || !event.dataTransfer) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = take.current ? 'copy' : 'none';
      setOver(true);
    };
    const leave = ({ relatedTarget }: DragEvent): void => {
      if (relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      setOver(false);
      if (!carriesFiles(event) || !event.dataTransfer) return;
      event.preventDefault();
      take.current?.([...event.dataTransfer.files]);
    };
    addEventListener('dragover', hold);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', hold);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  }, []);
  const onPaste = (event: ClipboardEvent): void => {
    const files = [...event.clipboardData.files];
    // A word processor adds a picture of the text.
    if (!add || files.length === 0 || event.clipboardData.getData('text/plain')) return;
    event.preventDefault();
    add(files);
  };
  return { over: over && add !== undefined, onPaste };
}

export function AttachButton({ add }: { add: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Tip text={t('attach')}>
        <button
          type="button"
          aria-label={t('attach')}
          className="flex size-8 shrink-0 items-center justify-center rounded-md text-soft hover:bg-hover hover:text-text max-md:size-10"
          onClick={() => input.current?.click()}
        >
          <Paperclip aria-hidden className="size-4" />
        </button>
      </Tip>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t('attach')}
        onChange={(event) => {
          add([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
    </>
  );
}

/** The files with their progress and actions. */
export function ComposerFiles({ place }: { place: string }) {
  const files = useChatFiles(place);
  const desk = useDesk();
  if (files.length === 0) return null;
  return (
    <ul aria-label={t('files')} className="flex max-h-44 flex-wrap gap-2 overflow-y-auto px-3.5 pb-2">
      {files.map((file) => (
        <li
          key={file.upload_id}
          className={cx(
            'flex h-10 min-w-0 max-w-72 items-center gap-2 rounded-lg border ps-2.5',
            file.state === 'failed' ? 'border-danger-line bg-danger-ground' : 'bg-surface',
          )}
        >
          <FileIcon aria-hidden className="size-4 shrink-0 text-soft" />
          <span className="min-w-0 flex-1">
            <span className="block truncate text-xs" dir="auto">
              {file.name}
            </span>
            {file.state === 'uploading' ? (
              <progress
                max={1}
                value={file.progress}
                aria-label={t('uploading', { name: file.name })}
                className="block h-1 w-full accent-accent"
              />
            ) : (
              <span
                role={file.error ? 'alert' : undefined}
                className={cx('block truncate text-xs', file.error ? 'text-danger-text' : 'text-soft')}
              >
                {file.error ?? sizeOf(file.size)}
              </span>
            )}
          </span>
          {file.state === 'failed' ? (
            <button
              type="button"
              aria-label={t('upload_again', { name: file.name })}
              className="flex size-8 shrink-0 items-center justify-center rounded-md hover:bg-hover"
              onClick={() => desk.files.tryAgain(place, file.upload_id)}
            >
              <RotateCw aria-hidden className="size-3.5" />
            </button>
          ) : null}
          <button
            type="button"
            aria-label={t('remove', { name: file.name })}
            className="flex size-8 shrink-0 items-center justify-center rounded-md hover:bg-hover"
            onClick={() => desk.files.remove(place, file.upload_id)}
          >
            <X aria-hidden className="size-3.5" />
          </button>
        </li>
      ))}
    </ul>
  );
}
