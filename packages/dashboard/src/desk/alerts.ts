import type { Session } from '@foyer/protocol';
import { base } from '../base.ts';
import { reasonSentence, visitorName } from '../words.ts';

export interface Alert {
  /** One thing is told once, whichever tab hears of it first. */
  key: string;
  session_id: string;
  title: string;
  body: string;
}

/** Older news comes from a list or a reconnect, and nobody needs to jump up for it. */
const NEWS_MS = 60_000;
const KEPT_KEYS = 500;

/** Decides what is worth a sound: a chat that begins to wait, one that is given to me, and an answer to me while I look elsewhere. */
export class Alerts {
  readonly #told = new Set<string>();

  /** What to tell about this change, if anything. `looking`: the agent has this very chat before them. */
  of(session: Session, myId: number, nowMs: number, looking: boolean): Alert | undefined {
    const alert = this.#waiting(session, nowMs) ?? (looking ? undefined : this.#answer(session, myId, nowMs));
    if (!alert || this.#told.has(alert.key)) return undefined;
    this.#told.add(alert.key);
    for (const key of this.#told) {
      if (this.#told.size <= KEPT_KEYS) break;
      this.#told.delete(key);
    }
    return alert;
  }

  #waiting(session: Session, nowMs: number): Alert | undefined {
    const since = session.waiting_since_utc;
    if (session.status !== 'waiting' || since === null || nowMs - Date.parse(since) > NEWS_MS)
      return undefined;
    const reason = session.handoff ? reasonSentence(session.handoff.reason) : '';
    return {
      key: `waiting ${session.session_id} ${since}`,
      session_id: session.session_id,
      title: base('alert_waiting', { name: visitorName(session.visitor) }),
      body: session.last_message?.sender === 'visitor' ? session.last_message.text : reason,
    };
  }

  /** A chat that has become mine without my looking at it was given to me. */
  #given(session: Session, nowMs: number): Alert | undefined {
    const joined = session.last_message?.created_utc;
    if (joined === undefined || nowMs - Date.parse(joined) > NEWS_MS) return undefined;
    return {
      key: `given ${session.session_id} ${session.last_seq}`,
      session_id: session.session_id,
      title: base('alert_yours', { name: visitorName(session.visitor) }),
      body: session.handoff?.summary ?? '',
    };
  }

  #answer(session: Session, myId: number, nowMs: number): Alert | undefined {
    const last = session.last_message;
    if (session.status !== 'active' || session.agent?.id !== myId || !last) return undefined;
    if (last.sender === 'system') return this.#given(session, nowMs);
    if (last.sender !== 'visitor') return undefined;
    if (nowMs - Date.parse(last.created_utc) > NEWS_MS) return undefined;
    return {
      key: `answer ${session.session_id} ${session.last_seq}`,
      session_id: session.session_id,
      title: visitorName(session.visitor),
      body: last.text,
    };
  }
}

/** Runs `act` in one tab of this browser only, where the browser can tell them apart. */
export function inOneTab(key: string, act: () => void): void {
  if (!navigator.locks) {
    act();
    return;
  }
  const HELD_MS = 3000;
  void navigator.locks.request(`foyer ${key}`, { ifAvailable: true }, (lock) => {
    if (!lock) return undefined;
    act();
    return new Promise((resolve) => setTimeout(resolve, HELD_MS));
  });
}
