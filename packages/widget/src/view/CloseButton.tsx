import { say } from '../strings.ts';
import { useShared } from './conversation/use-chat.ts';
import { CLOSE, Icon } from './Icons.tsx';

/** Closes the panel. */
export const CloseButton = () => (
  <button type="button" class="icon-button" aria-label={say('close')} onClick={useShared().closePanel}>
    <Icon path={CLOSE} />
  </button>
);
