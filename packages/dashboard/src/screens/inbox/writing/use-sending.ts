import type { Mention } from '@foyer/protocol';
import { useDesk } from '../../../desk/DeskContext.tsx';
import type { SentFile } from '../../../live/chat-files.ts';
import { mentionsIn, type Tab } from '../../../live/kept-draft.ts';
import { goOn } from '../go-on.ts';
import { type OtherReply, useAnsweredMeanwhile } from './drafts/use-answered-meanwhile.ts';
import { useTellViewing } from './tell-viewing.ts';
import type { Writing } from './use-writing.ts';

/** What is sent together. */
export interface Said {
  tab: Tab;
  /** Trimmed; empty only with files. */
  text: string;
  files: SentFile[];
  mentions: Mention[];
  /** Also close the chat or solve the ticket. */
  done: boolean;
}

interface SendingOptions {
  writing: Writing;
  tab: Tab;
  /** The maximum length that can be sent. */
  longest: number;
  withFiles: boolean;
  /** The last public reply of another team member. */
  lastOther: OtherReply | null;
  onSend: (said: Said) => void;
  onTyping?: (typing: boolean) => void;
}

export interface Sending {
  answered: ReturnType<typeof useAnsweredMeanwhile>;
  tellTyping: (typing: boolean) => void;
  send: (done?: boolean) => void;
}

/**
 * Sends the draft and shows others that it is being written. A reply waits while `answered.by` names a colleague
 * who has answered since it was begun.
 */
export function useSending(options: SendingOptions): Sending {
  const { writing, tab, longest, withFiles, lastOther, onSend, onTyping } = options;
  const { place } = writing;
  const { drafts, files } = useDesk();
  const tellViewing = useTellViewing(place);
  const answered = useAnsweredMeanwhile(place, lastOther);
  const tellTyping = (typing: boolean): void => {
    tellViewing(typing);
    onTyping?.(typing);
  };
  const send = (done = false): void => {
    const text = drafts.get(place)[tab].trim();
    const waiting = withFiles ? files.of(place) : [];
    const hasFile = waiting.some(({ state }) => state === 'ready');
    const isOnItsWay = waiting.some(({ state }) => state === 'uploading');
    // Files that are still uploading go with the next reply and never delay the text.
    if (text.length > longest || (text === '' && (!hasFile || isOnItsWay))) return;
    if (tab !== 'note' && answered.hold()) return;
    tellTyping(false);
    const mentions = mentionsIn(drafts.get(place), tab);
    onSend({ tab, text, files: withFiles ? files.take(place) : [], mentions, done });
    if (!done || !goOn()) writing.focus();
  };
  return { answered, tellTyping, send };
}
