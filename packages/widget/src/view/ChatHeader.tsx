import type { VisitorSession } from '@foyer/protocol';
import { useEffect, useRef, useState } from 'preact/hooks';
import { say } from '../strings.ts';
import { Avatar } from './Avatar.tsx';
import { Icon } from './Icons.tsx';
import { useShared } from './use-chat.ts';

interface ChatHeaderProps {
  session: VisitorSession | undefined;
  canEnd: boolean;
  end: () => void;
}

/** Who is on the other side, and the way back. */
export const ChatHeader = ({ session, canEnd, end }: ChatHeaderProps) => {
  const { chat, state, closePanel } = useShared();
  const { kind, name, hint } = describe(session, state.agentsOnline);
  return (
    <header class="chat-header">
      <button
        type="button"
        class="icon-button"
        aria-label={say('back')}
        onClick={() => chat.show({ name: 'home' })}
      >
        <Icon name="back" />
      </button>
      <Avatar kind={kind} name={name} />
      <div class="chat-title">
        <h1 class="chat-name" tabIndex={-1} data-focus dir="auto">
          {name}
        </h1>
        <p class="chat-hint">{hint}</p>
      </div>
      {canEnd && <MoreMenu end={end} />}
      <button type="button" class="icon-button" aria-label={say('close')} onClick={closePanel}>
        <Icon name="close" />
      </button>
    </header>
  );
};

const describe = (session: VisitorSession | undefined, agentsOnline: boolean) => {
  const isClosed = session?.status === 'closed';
  if (session?.agent) {
    const hint = say(isClosed ? 'closed_hint' : 'agent_hint');
    return { kind: 'agent' as const, name: session.agent.name, hint };
  }
  if (session?.status === 'waiting') {
    const hint = say(agentsOnline ? 'waiting_hint' : 'waiting_away_hint');
    return { kind: 'team' as const, name: say('team'), hint };
  }
  return { kind: 'bot' as const, name: say('bot_name'), hint: say(isClosed ? 'closed_hint' : 'bot_hint') };
};

const MoreMenu = ({ end }: { end: () => void }) => {
  const [isOpen, setOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  const trigger = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!isOpen) return;
    menu.current?.querySelector('button')?.focus();
    const close = (event: Event) => {
      if (event.target instanceof Node && menu.current?.parentElement?.contains(event.target)) return;
      setOpen(false);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      // Only the top layer closes.
      event.preventDefault();
      setOpen(false);
      trigger.current?.focus();
    };
    addEventListener('pointerdown', close);
    // Ahead of the panel's own listener.
    addEventListener('keydown', onKey, { capture: true });
    return () => {
      removeEventListener('pointerdown', close);
      removeEventListener('keydown', onKey, { capture: true });
    };
  }, [isOpen]);

  return (
    <div class="more">
      <button
        ref={trigger}
        type="button"
        class="icon-button"
        aria-label={say('more')}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="more" />
      </button>
      {isOpen && (
        <div class="menu" role="menu" ref={menu}>
          <button
            type="button"
            role="menuitem"
            onClick={() => {
              setOpen(false);
              end();
            }}
          >
            {say('end')}
          </button>
        </div>
      )}
    </div>
  );
};
