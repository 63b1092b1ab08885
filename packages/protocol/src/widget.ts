import type { Language } from './languages.ts';
import type { ServerFrame } from './socket.ts';
import type { Scalar } from './visitors.ts';

/**
 * Messages between the SDK on the host page and the widget in its iframe, by `postMessage`.
 * Each is `{ foyer: 1, ...message }`. The SDK accepts only messages from its own iframe's window and the
 * service's origin; the widget accepts only those from its parent window and answers to the origin of the
 * first `init`, which the server's `frame-ancestors` has allowed (decisions 9).
 */
export const POST_MESSAGE_VERSION = 1;

/** How a site's button and panel look; `color` is `#rrggbb`, an empty `launcher_text` leaves the button round. */
export interface WidgetLook {
  color: string;
  position: 'left' | 'right';
  launcher_text: string;
  /** A path on this service; null: the first letter of the site's name. */
  logo_url: string | null;
  theme: 'light' | 'dark' | 'auto';
}

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
    }
  /** The panel was expanded or collapsed by the page. */
  | { type: 'opened' }
  | { type: 'closed' }
  /** The visitor's identity changed; `previous_key` when an anonymous one became known. */
  | { type: 'identify'; key: string; attributes: SdkAttributes; previous_key?: string; user_hash?: string }
  | { type: 'page'; page_url: string; page_title?: string }
  /** Log-out: forget the visitor and begin anew with this key. */
  | { type: 'reset'; key: string };

export type ToSdk =
  | { type: 'ready'; look: WidgetLook }
  | { type: 'open' }
  | { type: 'close' }
  /** A message from bot or agent arrived; text at most 140 characters. */
  | { type: 'message'; sender: 'bot' | 'agent'; text: string }
  /** `label` says the count in the visitor's language. */
  | { type: 'unread'; count: number; label: string }
  /** Where the browser blocks storage in frames of other sites, the page keeps it (`svc.widget`) for the next `init`. */
  | { type: 'keep'; kept: Record<string, string> };

/** Body of `POST /widget/collect?site=PUBLIC_KEY`; what it may hold is said by `collectBody` in `visitors.ts`. */
export interface CollectBody {
  key: string;
  previous_key?: string;
  user_hash?: string;
  attributes?: SdkAttributes;
  /** At most 50; `id` makes a repeated send harmless. */
  events?: { id: string; name: string; properties?: Record<string, unknown>; occurred_utc: string }[];
}

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
