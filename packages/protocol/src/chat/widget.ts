import type { Language } from '../values/languages.ts';
import type { Scalar } from '../visitors/visitors.ts';
import type { ServerFrame } from './socket.ts';
import type { WidgetLook } from './widget-look.ts';

/*
 * Messages between the SDK on the host page and the widget in its iframe, by `postMessage`. Each is `{ foyer: 1,
 * ...message }`. The SDK accepts only messages from its own iframe's window and Foyer's origin. The widget accepts
 * only those from its parent window, and answers to the origin of the first `init`: the server's `frame-ancestors`
 * has allowed that page to frame it.
 */

/** Labels of the launcher and the panel's frame, in the visitor's language. */
export interface LauncherWords {
  chat: string;
  open: string;
  close: string;
}

/** What the launcher needs before the chat is loaded. */
export interface LauncherLook extends WidgetLook {
  /** Missing if the widget wasn't built. */
  words?: LauncherWords;
}

export interface SdkAttributes {
  [name: string]: Scalar;
}

export type ToWidget =
  | {
      type: 'init';
      key: string;
      attributes: SdkAttributes;
      user_hash?: string;
      locale?: string;
      page_url: string;
      page_title?: string;
      referrer?: string;
      color?: string;
      position?: 'left' | 'right';
      /** What the last `keep` contained. */
      kept?: Record<string, string> | null;
      /** The visitor logged out while the widget couldn't be reached: it first forgets the one it knows. */
      forget?: boolean;
    }
  /** The page expanded or collapsed the panel. */
  | { type: 'opened' }
  | { type: 'closed' }
  /** What the visitor answered to a proactive message on the page: it starts a chat. */
  | { type: 'message'; text: string; proactive_id: number }
  /** An agent wants to write: the chat connects without being opened. */
  | { type: 'connect' }
  /** The visitor's identity changed; `previous_key` if an anonymous visitor became known. */
  | { type: 'identify'; key: string; attributes: SdkAttributes; previous_key?: string; user_hash?: string }
  | { type: 'page'; page_url: string; page_title?: string }
  /** Log-out: forget the visitor and start over with this key. */
  | { type: 'reset'; key: string };

export type ToSdk =
  /** The answer to `init`: the widget runs, so messages reach it from now on. */
  | { type: 'here' }
  | { type: 'ready'; look: WidgetLook }
  | { type: 'open' }
  | { type: 'close' }
  /** A message from bot or agent arrived; text of at most 140 characters. */
  | { type: 'message'; sender: 'bot' | 'agent'; text: string }
  /** `label` is the count in words, in the visitor's language. */
  | { type: 'unread'; count: number; label: string }
  /** If the browser blocks storage in third-party frames, the page stores it (`svc.widget`) for the next `init`. */
  | { type: 'keep'; kept: Record<string, string> };

/** From the desk's settings to the preview of the widget, in a frame of the same origin. */
export interface PreviewMessage {
  foyer: 1;
  type: 'preview';
  language: Language;
  /** The frames that a server would send: the welcome, then the messages of one chat. */
  frames: ServerFrame[];
  session_id: string;
  /** `first`: before a first chat, with the site's questions. */
  place: 'home' | 'first' | 'chat';
}
