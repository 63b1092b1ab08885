import type { ProactiveRule, SdkAttributes, WidgetLook } from '@foyer/protocol';
import type { LauncherOptions, Panel } from './launcher/panel.ts';

/** The page's commands for the chat. */
export type ChatCommand = 'show' | 'hide' | 'open' | 'close';

/** The visitor's identity, for the chat. */
export interface Visitor {
  key: string;
  attributes: SdkAttributes;
  user_hash: string | undefined;
}

/** The chat's button and panel, as the SDK controls them. */
export interface Launcher extends Record<ChatCommand, () => void> {
  /** Redraws with the current options. */
  paint(): void;
  /** The visitor may be remembered. */
  begun(): void;
  /**
   * Tells a loaded chat who the visitor is. One that is loaded later gets it with `init`.
   * @param before the previous key, if it has changed
   */
  identify(visitor: Visitor, before?: string): void;
  /**
   * Makes the chat forget the visitor. Loads it if necessary, because it has its own storage.
   * @returns false if it hasn't answered yet, so that it may never receive this
   */
  reset(key: string): boolean;
}

/** What the SDK passes to launcher.js. */
export interface ChatParts {
  options: LauncherOptions & { locale?: string; site?: string; userHash?: string };
  /** The server's address, without a trailing slash. */
  base: string;
  /** Commands that came before the launcher, oldest first. */
  early: ChatCommand[];
  mounted(launcher: Launcher): void;
  begin(): void;
  /** The visitor, who from now on is the one that this tab has reported. */
  visitor(): Visitor;
  /** The visitor's key. */
  key(): string;
  /** Stores the visitor, so that later pages find them. */
  keep(): void;
  read(name: string): unknown;
  write(name: string, value?: unknown): void;
  toJson(value: unknown): string;
  emit(event: string, detail?: unknown): void;
}

/** What the site says to every page. */
export interface SiteConfig {
  look: WidgetLook;
  consent: boolean;
  /** Scripts besides: each with parts of addresses, of which a page's must have one. An empty one is in each. */
  extras: Record<string, string[]>;
  /** When to ask for proactive messages, if the site has any now. */
  proactive?: ProactiveRule[];
}

/** Of `GET /widget/config`. */
export interface ConfigAnswer {
  data?: SiteConfig;
  error?: { code: string };
}

/** Exports of launcher.js. */
export interface LauncherModule {
  /**
   * Shows the launcher, once the page has a body, in the look that the server answers.
   * @returns false if there was no answer, so that it has to be asked again
   */
  start(parts: ChatParts, answer: Promise<ConfigAnswer | undefined>): Promise<boolean>;
}

/** Exports of a script that is loaded if the site has it switched on: live.js, proactive.js. */
export interface ExtraModule {
  start(parts: ChatParts, panel: Panel, config: SiteConfig): void;
}
