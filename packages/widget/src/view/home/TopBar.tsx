import type { ComponentChildren } from 'preact';
import { say } from '../../strings.ts';
import { adopt } from '../../style/adopt.ts';
import style from '../../style/places.css?inline';
import { CloseButton } from '../CloseButton.tsx';
import { useShared } from '../conversation/use-chat.ts';
import { BACK, Icon } from '../Icons.tsx';

adopt(style);

/** The header of every place but home: back, title, close. */
export const TopBar = ({ children }: { children: ComponentChildren }) => {
  const { places } = useShared();
  return (
    <header class="chat-header">
      <button type="button" class="icon-button" aria-label={say('back')} onClick={places.back}>
        <Icon path={BACK} class="icon-mirrored" />
      </button>
      {children}
      <CloseButton />
    </header>
  );
};

/**
 * A title that receives the focus on arrival, so that it is read out.
 * @param as `p` if the place has a heading of its own
 */
export const Title = ({ text, as: Tag = 'h1' }: { text: string; as?: 'h1' | 'p' }) => (
  <div class="chat-title">
    <Tag class="chat-name" tabIndex={-1} data-focus dir="auto">
      {text}
    </Tag>
  </div>
);
