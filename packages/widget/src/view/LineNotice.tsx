import { say } from '../strings.ts';
import { useShared } from './conversation/use-chat.ts';
import { Icon, OFFLINE } from './Icons.tsx';

/** The state of the connection in words, only if it matters. */
export const LineNotice = () => {
  const { line } = useShared().state;
  const isAway = line === 'offline' || line === 'reconnecting';
  return (
    <div role="status" class={isAway ? 'line-notice' : 'unseen'}>
      {isAway && (
        <>
          <Icon path={OFFLINE} size={18} />
          {say(line)}
        </>
      )}
    </div>
  );
};
