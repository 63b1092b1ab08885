import type { Language, Source } from '@foyer/protocol';
import type { SiteContext } from '../core/context.ts';
import type { StoredEvent } from '../db/column-types.ts';
import type { Decision } from './answer/answer.ts';
import { withSlugs } from './answer/source-pages.ts';
import { asksWhich, filesGot, notKnown } from './phrases.ts';

/** What the bot says. */
interface Reply {
  readonly text: string;
  readonly sources: Source[];
  readonly event?: StoredEvent;
}

/** What a decision says to the visitor; undefined: nothing, a person is called. */
export async function replyTo(
  ctx: SiteContext,
  decision: Decision,
  { language, callsPerson }: { language: Language; callsPerson: boolean },
): Promise<Reply | undefined> {
  switch (decision.kind) {
    case 'answer':
      return { text: decision.text, sources: await withSlugs(ctx, decision.sources) };
    case 'small_talk':
      return { text: decision.text, sources: [] };
    case 'files':
      return { text: filesGot(language), sources: [] };
    case 'ask':
      return asksBack(language, callsPerson ? [] : await withSlugs(ctx, decision.sources), callsPerson);
    case 'unknown':
      return saysNotKnown(language, callsPerson);
    case 'handoff':
      return decision.text === undefined ? undefined : { text: decision.text, sources: [] };
  }
}

/** Asks which of these is meant; where there is nothing to choose, the bot doesn't know. */
function asksBack(language: Language, sources: Source[], callsPerson: boolean): Reply {
  return sources.length > 0
    ? { text: asksWhich(language), sources, event: 'asked_back' }
    : saysNotKnown(language, callsPerson);
}

const saysNotKnown = (language: Language, callsPerson: boolean): Reply => ({
  text: notKnown(language, callsPerson),
  sources: [],
  event: 'not_known',
});
