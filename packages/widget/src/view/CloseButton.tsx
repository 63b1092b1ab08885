import { say } from '../strings.ts';
import { useShared } from './conversation/use-chat.ts';
import { Icon } from './Icons.tsx';

/** Closes the panel. */
export const CloseButton = () => (
  <button type="button" class="icon-button" aria-label={say('close')} onClick={useShared().closePanel}>
    <Icon name="close" />
  </button>
);
