import type { Language, Source } from '@foyer/protocol';
import type { SiteContext } from '../core/context.ts';
import type { StoredEvent } from '../db/column-types.ts';
import type { Decision } from './answer/answer.ts';
import { presentSources } from './answer/source-pages.ts';
import { asksWhich, filesGot, notKnown } from './phrases.ts';

/** What the bot says. */
interface Reply {
  readonly text: string;
  readonly sources: Source[];
  readonly event?: StoredEvent;
  /** What the visitor may say next, as buttons. */
  readonly choices?: readonly string[];
}

interface Asked {
  readonly language: Language;
  readonly callsPerson: boolean;
  /** The labels of actions that the question is likely about. */
  readonly offers?: readonly string[] | undefined;
}

/** The message for a decision; undefined: none, the chat is handed over. */
export async function replyTo(
  ctx: SiteContext,
  decision: Decision,
  { language, callsPerson, offers = [] }: Asked,
): Promise<Reply | undefined> {
  const reply = await decidedReply(ctx, decision, { language, callsPerson, offers });
  return reply && offers.length > 0 && !callsPerson ? withOffers(reply, decision, offers, language) : reply;
}

/** Beside articles an action is one more choice; if nothing is known, the bot asks about the actions alone. */
function withOffers(reply: Reply, { kind }: Decision, choices: readonly string[], language: Language): Reply {
  if (kind === 'unknown')
    return { text: asksWhich(language, choices.length), sources: [], event: 'asked_back', choices };
  return kind === 'answer' || kind === 'ask' ? { ...reply, choices } : reply;
}

async function decidedReply(
  ctx: SiteContext,
  decision: Decision,
  { language, callsPerson, offers = [] }: Asked,
): Promise<Reply | undefined> {
  switch (decision.kind) {
    case 'answer':
      return { text: decision.text, sources: await presentSources(ctx, decision.sources) };
    case 'small_talk':
      return { text: decision.text, sources: [] };
    case 'action':
      return { text: decision.text, sources: [], choices: decision.choices };
    case 'files':
      return { text: filesGot(language), sources: [] };
    case 'ask':
      if (decision.text !== undefined && !callsPerson)
        return { text: decision.text, sources: [], event: 'asked_back' };
      if (callsPerson) return saysNotKnown(language, callsPerson);
      return asksBack(language, await presentSources(ctx, decision.sources), offers.length);
    case 'unknown':
      return saysNotKnown(language, callsPerson);
    case 'handoff':
      return decision.text === undefined ? undefined : { text: decision.text, sources: [] };
  }
}

/** Asks which of these sources and actions is meant; without an article, the bot doesn't know. */
function asksBack(language: Language, sources: Source[], actions: number): Reply {
  return sources.length > 0
    ? { text: asksWhich(language, sources.length + actions), sources, event: 'asked_back' }
    : saysNotKnown(language, false);
}

const saysNotKnown = (language: Language, callsPerson: boolean): Reply => ({
  text: notKnown(language, callsPerson),
  sources: [],
  event: 'not_known',
});
