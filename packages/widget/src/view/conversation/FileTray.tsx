import { useRef } from 'preact/hooks';
import type { DraftFile } from '../../core/uploads.ts';
import { fileSize } from '../../sizes.ts';
import { say } from '../../strings.ts';
import '../../style/files.ts';
import { handFocus } from '../hand-focus.ts';
import { AGAIN, CLOSE, FILE, Icon } from '../Icons.tsx';
import { useShared } from './use-chat.ts';

/** Chosen files, with their progress and what can be done about them. */
export const FileTray = ({ place }: { place: string }) => {
  const { chat, state } = useShared();
  const tray = useRef<HTMLUListElement>(null);
  const removerOf = (file: DraftFile | undefined) =>
    file && tray.current?.querySelector<HTMLElement>(`[data-remover="${file.upload_id}"]`);
  /** Removed rows may still be drawn, so this checks the current state; fast key presses must not get lost. */
  const remove = (from: HTMLElement, { upload_id }: DraftFile) => {
    const files = chat.state().files[place] ?? [];
    const at = files.findIndex((file) => file.upload_id === upload_id);
    handFocus(from, removerOf(files[at + 1] ?? files[at - 1]));
    chat.removeFile(place, upload_id);
  };
  return (
    <ul ref={tray} class="tray" aria-label={say('files')}>
      {(state.files[place] ?? []).map((file) => (
        <li key={file.upload_id} class={isProblem(file) ? 'tray-file tray-file-bad' : 'tray-file'}>
          {file.preview ? (
            <img class="tray-preview" src={file.preview} alt="" />
          ) : (
            <span class="tray-preview">
              <Icon path={FILE} size={18} />
            </span>
          )}
          <span class="tray-text">
            <span class="file-name" dir="auto">
              {file.name}
            </span>
            <FileState file={file} />
          </span>
          {file.state === 'failed' && (
            <button
              type="button"
              class="icon-button"
              aria-label={say('file_retry', { name: file.name })}
              onClick={({ currentTarget }) => {
                handFocus(currentTarget, removerOf(file));
                chat.retryFile(place, file.upload_id);
              }}
            >
              <Icon path={AGAIN} size={18} />
            </button>
          )}
          <button
            type="button"
            class="icon-button"
            aria-label={say('file_remove', { name: file.name })}
            data-remover={file.upload_id}
            onClick={({ currentTarget }) => remove(currentTarget, file)}
          >
            <Icon path={CLOSE} size={18} />
          </button>
        </li>
      ))}
    </ul>
  );
};

const isProblem = ({ state }: DraftFile): boolean => state !== 'uploading' && state !== 'ready';

const FileState = ({ file }: { file: DraftFile }) => {
  const limits = useShared().state.site?.uploads;
  if (file.state === 'uploading') {
    return (
      <>
        <progress
          max={1}
          value={file.progress}
          aria-label={say('file_progress', { name: file.name, percent: Math.round(file.progress * 100) })}
        />
        {file.goes && <span class="tray-state">{say('file_waiting')}</span>}
      </>
    );
  }
  if (file.state === 'ready') {
    return (
      <span class="tray-state" role="status">
        {say('file_ready')} · {fileSize(file.size)}
      </span>
    );
  }
  return (
    <span class="tray-state" role="alert">
      {file.state === 'too_large'
        ? say('file_too_large', { size: fileSize(limits?.max_bytes ?? 0) })
        : say(`file_${file.state}`, { count: limits?.max_files ?? 0 })}
    </span>
  );
};
