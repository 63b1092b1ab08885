import { say } from '../strings.ts';
import { Icon } from './Icons.tsx';
import { useShared } from './use-chat.ts';

/** The state of the line in words, only when it matters. */
export const LineNotice = () => {
  const { line } = useShared().state;
  return (
    <div role="status" class={line === 'offline' ? 'line-notice' : 'unseen'}>
      {line === 'offline' && (
        <>
          <Icon name="offline" size={18} />
          {say('offline')}
        </>
      )}
    </div>
  );
};
