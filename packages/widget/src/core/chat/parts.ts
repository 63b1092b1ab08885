import type { HelloFrame } from '@foyer/protocol';
import type { SocketLike } from '@foyer/protocol/browser/line';
import type { Solve } from '../connection/transport.ts';
import type { ConversationState } from '../conversation.ts';
import type { Storage } from '../storage.ts';

/** What the page says about the visitor, and where they are. */
export interface Visitor {
  key?: string;
  user_hash?: string;
  attributes?: HelloFrame['attributes'];
  locale?: string;
  page_url?: string;
  page_title?: string | undefined;
  referrer?: string | undefined;
}

/** What a chat needs from the page it runs in. */
export interface ChatParts {
  storage: Storage;
  open: () => SocketLike;
  openPoll: () => Promise<SocketLike>;
  isOffline: () => boolean;
  /** The address for a visitor's file with this id. */
  uploadUrl: (uploadId: string, name: string) => string;
  /** The name of the browser database that keeps files. */
  filesName: string;
  /** Runs while no other tab runs its own. */
  alone: (run: () => Promise<void>) => Promise<unknown>;
  /** The bot or an agent wrote a message that the visitor has not seen. */
  onIncoming: (sender: 'bot' | 'agent', text: string) => void;
  /** Without it, the server refuses what is over a limit. */
  solve?: Solve;
  onState: (state: ConversationState) => void;
}
