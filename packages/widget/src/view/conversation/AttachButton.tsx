import { endingsOf } from '@foyer/protocol/values/upload-kinds';
import { useRef } from 'preact/hooks';
import { say } from '../../strings.ts';
import { ATTACH, Icon } from '../Icons.tsx';
import { useShared } from './use-chat.ts';

/** Chooses files; on phones also the camera. */
export const AttachButton = ({ add }: { add: (files: File[]) => void }) => {
  const kinds = useShared().state.site?.uploads.kinds ?? [];
  const input = useRef<HTMLInputElement>(null);
  const endings = kinds.flatMap(endingsOf).map((ending) => `.${ending}`);
  const accept = kinds.includes('other')
    ? undefined
    : [...(kinds.includes('image') ? ['image/*'] : []), ...endings];
  return (
    <>
      <button
        type="button"
        class="icon-button"
        aria-label={say('attach')}
        onClick={() => input.current?.click()}
      >
        <Icon path={ATTACH} />
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={accept?.join(',')}
        aria-label={say('attach')}
        onChange={(event) => {
          add([...(event.currentTarget.files ?? [])]);
          // Choosing the same file again must count too.
          event.currentTarget.value = '';
        }}
      />
    </>
  );
};
