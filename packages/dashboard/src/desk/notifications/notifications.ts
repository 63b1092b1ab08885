import type { ServerFrame } from '@foyer/protocol';
import type { QueryClient } from '@tanstack/react-query';
import type { Looking, Tab } from '../tab.ts';

const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const;
/** Loaded with the first notification, not with the desk. */
const loadAnnounce = () => import('../announce.ts');

/** What this tab's agent is looking at, and when they last used it. */
export class Notifications {
  readonly #tab: Tab;

  constructor(client: QueryClient) {
    this.#tab = { client, looking: null, touchedAt: Date.now() };
  }

  /** Watches for the agent. @returns a way to stop. */
  start(): () => void {
    const touch = (): void => {
      this.#tab.touchedAt = Date.now();
    };
    const look = (): void => this.#markSeen();
    for (const sign of SIGNS) addEventListener(sign, touch, { passive: true, capture: true });
    addEventListener('focus', look);
    return () => {
      for (const sign of SIGNS) removeEventListener(sign, touch, { capture: true });
      removeEventListener('focus', look);
    };
  }

  /** Registers the conversation on the screen. @returns a function that unregisters it */
  look(at: Looking): () => void {
    this.#tab.looking = at;
    this.#markSeen();
    return () => {
      if (this.#tab.looking === at) this.#tab.looking = null;
    };
  }

  take(news: Extract<ServerFrame, { type: 'notified' }>): void {
    void loadAnnounce().then(
      ({ takeNews }) => takeNews(this.#tab, news),
      () => undefined,
    );
  }

  #markSeen(): void {
    void loadAnnounce().then(
      ({ markSeen }) => markSeen(this.#tab),
      () => undefined,
    );
  }
}
