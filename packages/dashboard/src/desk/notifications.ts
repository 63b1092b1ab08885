import type { ServerFrame } from '@foyer/protocol';
import type { QueryClient } from '@tanstack/react-query';
import type { Tab } from './telling.ts';

/** A conversation, as the screen that shows it names it. */
export type Looking = { session_id: string } | { ticket_id: number };

const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const;
/** Nobody needs it in the first second. */
const loadTelling = () => import('./telling.ts');

/** What this tab's agent looks at, and when they last touched it. */
export class Notifications {
  readonly #tab: Tab;

  constructor(client: QueryClient) {
    this.#tab = { client, looking: null, touchedAt: Date.now() };
  }

  /** Begins; the answer ends it. */
  start(): () => void {
    const touch = (): void => {
      this.#tab.touchedAt = Date.now();
    };
    const look = (): void => this.#settle();
    for (const sign of SIGNS) addEventListener(sign, touch, { passive: true, capture: true });
    addEventListener('focus', look);
    return () => {
      for (const sign of SIGNS) removeEventListener(sign, touch, { capture: true });
      removeEventListener('focus', look);
    };
  }

  /** The conversation that is on the screen; the answer takes it off again. */
  look(at: Looking): () => void {
    this.#tab.looking = at;
    this.#settle();
    return () => {
      if (this.#tab.looking === at) this.#tab.looking = null;
    };
  }

  take(news: Extract<ServerFrame, { type: 'notified' }>): void {
    void loadTelling().then(
      ({ takeNews }) => takeNews(this.#tab, news),
      () => undefined,
    );
  }

  #settle(): void {
    void loadTelling().then(
      ({ settle }) => settle(this.#tab),
      () => undefined,
    );
  }
}
