import type { SavedDraft } from '@foyer/protocol';
import { ApiError } from '../src/api.ts';
import { Drafts, namedBy, type Saved } from '../src/live/drafts.ts';
import type { Tab, Written } from '../src/live/kept-draft.ts';
import { memoryStore, type Store } from '../src/storage.ts';

/** The server's limit for a text. */
export const TEXT_MAX = 500;
/** How long a call is waited for (`desk.ts`). */
const ANSWER_LIMIT_MS = 15_000;

/** The connection between a browser and the server. */
export class Line {
  /** The number of reconnects; nothing in flight survives a break. */
  breaks = 0;
  isUp = true;
  delayMs = (): number => 0;
  /** A way that is lost shows only when an answer has been waited for long enough. */
  loses = (_way: 'there' | 'back'): boolean => false;

  call<T>(act: () => T, signal: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      const late = new ApiError('network', 'no answer');
      signal.addEventListener('abort', () => reject(signal.reason));
      setTimeout(() => reject(late), ANSWER_LIMIT_MS);
      const answer = (): void => {
        try {
          const answered = act();
          this.bring(() => this.loses('back') || resolve(answered));
        } catch (error) {
          reject(error);
        }
      };
      if (!this.isUp) reject(late);
      else if (!this.loses('there')) setTimeout(answer, this.delayMs());
    });
  }

  /** To the browser, if nothing breaks on the way. */
  bring(arrive: () => void): void {
    const { breaks, isUp } = this;
    if (isUp) setTimeout(() => this.isUp && this.breaks === breaks && arrive(), this.delayMs());
  }

  cut(): void {
    this.isUp = false;
    this.breaks += 1;
  }
}

/** The rules of the server's drafts, for all browsers of one agent. */
export class DraftServer {
  readonly drafts = new Map<string, SavedDraft>();
  readonly browsers = new Map<Drafts, Line>();
  error: ApiError | undefined;
  saves = 0;
  #version = 0;

  load(place: string): SavedDraft[] {
    if (this.error) throw this.error;
    return (['note', 'reply'] as const).flatMap((tab) => this.drafts.get(`${tab} ${place}`) ?? []);
  }

  save(place: string, kind: Tab, { text, mentions }: Written, base: number | null): Saved {
    if (this.error) throw this.error;
    if (text.length > TEXT_MAX) throw new ApiError('invalid_input', 'too long');
    this.saves += 1;
    const key = `${kind} ${place}`;
    const there = this.drafts.get(key) ?? null;
    if ((there?.version ?? null) !== base && there)
      return { saved: there.text === text.trim(), draft: there };
    const draft = {
      kind,
      text: text.trim(),
      mentions: [...mentions],
      version: ++this.#version,
      updated_utc: '',
    };
    if (draft.text === '' && !there) return { saved: true, draft: null };
    if (draft.text === '') this.drafts.delete(key);
    else this.drafts.set(key, draft);
    const now = draft.text === '' ? null : draft;
    for (const [browser, line] of this.browsers)
      line.bring(() => browser.heard(place, kind, now?.version ?? null));
    return { saved: true, draft: now };
  }

  browser(store: Store = memoryStore(), agentId = 1, line = new Line()): Drafts {
    const drafts = new Drafts({
      store,
      agentId,
      list: () =>
        line.call(
          () => [...this.drafts].map(([key, { kind }]) => ({ ...named(key.split(' ')[1] ?? ''), kind })),
          new AbortController().signal,
        ),
      load: (place, signal) => line.call(() => this.load(place), signal),
      save: (place, kind, written, base, signal) =>
        line.call(() => this.save(place, kind, written, base), signal),
    });
    this.browsers.set(drafts, line);
    return drafts;
  }

  back(drafts: Drafts): void {
    const line = this.browsers.get(drafts);
    if (line) line.isUp = true;
    drafts.online();
  }

  /** Each browser has what the server has, or shows it beside its own. */
  isInStep(place: string): boolean {
    return (['note', 'reply'] as const).every((tab) => {
      const there = this.drafts.get(`${tab} ${place}`)?.text ?? '';
      return [...this.browsers.keys()].every(
        (browser) => (browser.elsewhere(place, tab)?.text ?? browser.get(place)[tab].trim()) === there,
      );
    });
  }
}

export const named = (place: string) => ({ session_id: null, ticket_id: null, ...namedBy(place) });
