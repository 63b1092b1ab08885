import type { BubbleAnswer, ProactiveRule } from '@foyer/protocol';
import { isOnPage } from '@foyer/protocol/values/proactive/page-prefix';
import type { ChatParts, ExtraModule } from './chat-parts.ts';
import { guard, listen } from './guard.ts';
import type { Panel } from './launcher/panel.ts';
import { type Shown, showBubble } from './proactive/bubble.ts';
import { countVisits } from './proactive/visits.ts';

const SHOWN = 'svc.shown';
/** More than a site can have. */
const SHOWN_MAX = 100;
const SECOND_MS = 1_000;

const isMet = ({ pages, except_pages }: ProactiveRule): boolean => {
  const isOne = (prefix: string) => isOnPage(prefix, location);
  return (pages.length === 0 || pages.some(isOne)) && !except_pages.some(isOne);
};

/** Asks the server. Rejects without an answer. */
const createAsk =
  ({ base, options, key, keep, toJson }: ChatParts) =>
  async (what: 'show' | 'open', id: number): Promise<BubbleAnswer['bubble']> => {
    // The next page must be the same visitor.
    keep();
    const { userHash: user_hash, locale } = options;
    const answer = await fetch(`${base}/widget/proactive?site=${options.site}`, {
      method: 'POST',
      // As text it needs no preflight request.
      body: toJson({ do: what, id, key: key(), user_hash, locale: locale?.slice(0, 35) }),
      credentials: 'omit',
      keepalive: true,
    });
    const { data }: { data?: BubbleAnswer } = await answer.json();
    return data?.bubble ?? null;
  };

/**
 * Shows a message once its time on this page has come, if the server says that it is for this visitor. Only the seconds
 * count in which the tab is visible. Each message is asked for once per page, and only one at a time.
 */
class Proactive {
  readonly #parts: ChatParts;
  readonly #panel: Panel;
  readonly #rules: readonly ProactiveRule[];
  readonly #ask: ReturnType<typeof createAsk>;
  #asked = new Set<number>();
  #seconds = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  #isAsking = false;
  #shown: Shown | undefined;

  constructor(parts: ChatParts, panel: Panel, rules: readonly ProactiveRule[]) {
    this.#parts = parts;
    this.#panel = panel;
    this.#rules = rules;
    this.#ask = createAsk(parts);
  }

  /** A page has opened: its time begins. */
  begin(): void {
    const { rule, close } = this.#shown ?? {};
    if (rule && !isMet(rule)) close?.();
    this.#asked = new Set(this.#known());
    this.#seconds = 0;
    clearInterval(this.#timer);
    this.#timer = setInterval(
      guard(() => this.#tick()),
      SECOND_MS,
    );
    this.#look();
  }

  #known(): number[] {
    const known = this.#parts.read(SHOWN);
    return Array.isArray(known) ? known : [];
  }

  #tick(): void {
    if (document.hidden) return;
    this.#seconds++;
    this.#look();
  }

  #look(): void {
    const visit = countVisits(this.#parts, this.#rules);
    const open = this.#rules.filter(
      (one) => !this.#asked.has(one.id) && visit >= one.min_visits && isMet(one),
    );
    if (open.length === 0) clearInterval(this.#timer);
    const isBusy = this.#isAsking || this.#shown || document.hidden || this.#isPanelInTheWay();
    const due = open.find(({ after_s }) => this.#seconds >= after_s);
    if (due && !isBusy) this.#show(due).catch(() => {});
  }

  /** It is open, or the page has hidden the button. */
  #isPanelInTheWay(): boolean {
    return /\b[oh]\b/.test(this.#panel.root.host.className);
  }

  async #show(rule: ProactiveRule): Promise<void> {
    const { id } = rule;
    this.#asked.add(id);
    // Another tab may have shown it since.
    if (this.#known().includes(id)) return;
    this.#isAsking = true;
    try {
      const bubble = await this.#ask('show', id);
      if (!bubble) return;
      this.#parts.write(SHOWN, [...this.#known(), id].slice(-SHOWN_MAX));
      if (this.#isPanelInTheWay()) return;
      const { close } = showBubble(this.#parts, this.#panel, bubble, {
        opened: () => this.#ask('open', id).catch(() => {}),
        send: (text) => this.#send(text, id),
        closed: () => {
          this.#shown = undefined;
        },
      });
      this.#shown = { rule, close };
    } finally {
      this.#isAsking = false;
    }
  }

  /** Opens the chat and gives it the answer, which is safe there, as soon as it is loaded. */
  #send(text: string, proactive_id: number): void {
    this.#panel.open();
    const deliver = () => {
      if (!this.#panel.post({ type: 'message', text, proactive_id })) setTimeout(deliver, SECOND_MS / 10);
    };
    deliver();
  }
}

/** Starts looking for messages of this page and of those that follow without a page load. */
export const start: ExtraModule['start'] = (parts, panel, { proactive = [] }) => {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };
  if (doNotTrack === '1' || globalPrivacyControl) return;
  const messages = new Proactive(parts, panel, proactive);
  let page = location.pathname;
  messages.begin();
  listen(window.navigation as EventTarget | undefined, 'navigatesuccess', () => {
    if (page === location.pathname) return;
    page = location.pathname;
    messages.begin();
  });
};
