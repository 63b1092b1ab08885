import type { VisitorSession } from '@foyer/protocol';
import { useState } from 'preact/hooks';
import { say } from '../../strings.ts';
import { Avatar } from '../Avatar.tsx';
import { TopBar } from '../home/TopBar.tsx';
import { Menu, type MenuEntry } from '../Menu.tsx';
import { useShared } from './use-chat.ts';

interface ChatHeaderProps {
  session: VisitorSession | undefined;
  end: () => void;
  mail: () => void;
}

/** The other participant, and the way back. */
export const ChatHeader = ({ session, end, mail }: ChatHeaderProps) => {
  const { chat, state } = useShared();
  const [isMuted, setMuted] = useState(chat.isMuted);
  const { kind, name, hint } = describe(session, state.agentsOnline);
  const mute = () => {
    chat.mute(!isMuted);
    setMuted(!isMuted);
  };
  const entries: MenuEntry[] = [
    ...(state.site?.sound ? [{ label: say(isMuted ? 'sound_on' : 'sound_off'), run: mute }] : []),
    ...(state.mails && session ? [{ label: say('mail'), run: mail }] : []),
    ...(session && session.status !== 'closed' ? [{ label: say('end'), run: end }] : []),
  ];
  return (
    <TopBar>
      <Avatar kind={kind} name={name} picture={session?.agent?.picture_url} />
      <div class="chat-title">
        <h1 class="chat-name" tabIndex={-1} data-focus dir="auto">
          {name}
        </h1>
        <p class="chat-hint">{hint}</p>
      </div>
      <Menu label={say('more')} entries={entries} />
    </TopBar>
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
