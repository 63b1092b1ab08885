import type { Language } from '../values/languages.ts';
import type { Scalar } from '../visitors/visitors.ts';
import type { ServerFrame } from './socket.ts';
import type { WidgetLook } from './widget-look.ts';

/*
 * Messages between the SDK on the host page and the widget in its iframe, by `postMessage`. Each is
 * `{ foyer: 1, ...message }`. The SDK accepts only messages from its own iframe's window and Foyer's origin. The widget
 * accepts only those from its parent window, and answers to the origin of the first `init`: the server's
 * `frame-ancestors` has allowed that page to frame it.
 */

/** What the button and the panel's frame are called, in a visitor's language. */
export interface LauncherWords {
  chat: string;
  open: string;
  close: string;
}

/** What the launcher is told before the chat is loaded. */
export interface LauncherLook extends WidgetLook {
  /** Missing where the widget was not built. */
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
      /** What `keep` gave to keep. */
      kept?: Record<string, string> | null;
      /** The visitor logged out while the widget could not be reached: it forgets the one it knows first. */
      forget?: boolean;
    }
  /** The panel was expanded or collapsed by the page. */
  | { type: 'opened' }
  | { type: 'closed' }
  /** An agent wants to write: the chat connects, without being opened. */
  | { type: 'connect' }
  /** The visitor's identity changed; `previous_key` when an anonymous one became known. */
  | { type: 'identify'; key: string; attributes: SdkAttributes; previous_key?: string; user_hash?: string }
  | { type: 'page'; page_url: string; page_title?: string }
  /** Log-out: forget the visitor and begin anew with this key. */
  | { type: 'reset'; key: string };

export type ToSdk =
  /** The answer to `init`: the widget runs, so what is posted from now on arrives. */
  | { type: 'here' }
  | { type: 'ready'; look: WidgetLook }
  | { type: 'open' }
  | { type: 'close' }
  /** A message from bot or agent arrived; text at most 140 characters. */
  | { type: 'message'; sender: 'bot' | 'agent'; text: string }
  /** `label` says the count in the visitor's language. */
  | { type: 'unread'; count: number; label: string }
  /** Where the browser blocks storage in frames of other sites, the page keeps it (`svc.widget`) for the next `init`. */
  | { type: 'keep'; kept: Record<string, string> };

/** From the dashboard's settings to the preview of the widget in a frame of the same origin. */
export interface PreviewMessage {
  foyer: 1;
  type: 'preview';
  language: Language;
  /** What a server would say: the welcome, then the messages of the one chat. */
  frames: ServerFrame[];
  session_id: string;
  /** `first`: where a first chat begins, with what the site asks. */
  place: 'home' | 'first' | 'chat';
}
