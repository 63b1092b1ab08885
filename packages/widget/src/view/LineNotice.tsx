import { say } from '../strings.ts';
import { useShared } from './conversation/use-chat.ts';
import { Icon } from './Icons.tsx';

/** The state of the connection in words, only if it matters. */
export const LineNotice = () => {
  const { line } = useShared().state;
  const isAway = line === 'offline' || line === 'reconnecting';
  return (
    <div role="status" class={isAway ? 'line-notice' : 'unseen'}>
      {isAway && (
        <>
          <Icon name="offline" size={18} />
          {say(line)}
        </>
      )}
    </div>
  );
};
