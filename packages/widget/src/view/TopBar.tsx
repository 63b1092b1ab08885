import type { ComponentChildren } from 'preact';
import { say } from '../strings.ts';
import { Icon } from './Icons.tsx';
import { useShared } from './use-chat.ts';

/** The head of every place but home: the way back, what this is, and the way out. */
export const TopBar = ({ children }: { children: ComponentChildren }) => {
  const { places, closePanel } = useShared();
  return (
    <header class="chat-header">
      <button type="button" class="icon-button" aria-label={say('back')} onClick={places.back}>
        <Icon name="back" />
      </button>
      {children}
      <button type="button" class="icon-button" aria-label={say('close')} onClick={closePanel}>
        <Icon name="close" />
      </button>
    </header>
  );
};

/** A title that takes the focus when one comes here, so that it is read out. */
export const Title = ({ text }: { text: string }) => (
  <div class="chat-title">
    <h1 class="chat-name" tabIndex={-1} data-focus dir="auto">
      {text}
    </h1>
  </div>
);
