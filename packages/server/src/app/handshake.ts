import type { HelloFrame } from '@foyer/protocol';
import { chooseLanguage } from '@foyer/protocol/values/languages';
import { redactsAnything } from '@foyer/protocol/values/redaction/redact';
import { ownSessions } from '../conversations/feed.ts';
import { questionsOf } from '../conversations/fields/pre-chat-fields.ts';
import { fieldsToAsk } from '../conversations/introduction.ts';
import type { ReplyTimes } from '../conversations/routing/reply-times.ts';
import type { Actor } from '../core/actor.ts';
import type { Proof, Site, SiteContext } from '../core/context.ts';
import { allStarters } from '../knowledge/starters.ts';
import type { Welcome } from '../realtime/visitor.ts';
import type { KnownSite } from '../sites/directory.ts';
import { presentLook } from '../sites/look.ts';
import { greetBrowser } from '../visitors/identity/greeting.ts';

const STARTERS_SHOWN = 6;

/** A visitor's handshake: who they are, as far as their browser can prove it, and what the widget shows. */
export async function welcome(
  contextFor: (
    site: Site,
    actor: Actor,
    options?: { caller: string | undefined; proof: Proof },
  ) => SiteContext,
  replyTimes: ReplyTimes,
  site: KnownSite | undefined,
  hello: HelloFrame,
  { userAgent, caller, proof }: { userAgent: string | undefined; caller: string | undefined; proof: Proof },
): Promise<{ actor: Extract<Actor, { kind: 'visitor' }>; welcome: Welcome }> {
  if (!site) throw new Error('the site was deleted during a handshake');
  const greeted = await greetBrowser(contextFor(site, { kind: 'job' }, { caller, proof }), {
    token: hello.token,
    key: hello.key,
    userHash: hello.user_hash,
    attributes: hello.attributes,
    browser: { userAgent, language: hello.locale, timeZone: hello.time_zone },
  });
  const language = chooseLanguage([hello.locale ?? ''], site.languages, site.language);
  const actor = { ...greeted.actor, language };
  const ctx = contextFor(site, actor);
  const [starters, sessions, replyTimeS, catalogue] = await Promise.all([
    allStarters(ctx.db, site.id),
    ownSessions(ctx),
    replyTimes.secondsOf(ctx),
    ctx.services.catalogues.catalogueOf(site.id),
  ]);
  const { key, token, known, hasChatAnswers } = greeted;
  return {
    actor,
    welcome: {
      token,
      visitor: { key, name: known.name, email: known.email, verified: actor.verified },
      site: {
        name: site.name,
        look: presentLook(site),
        greeting: site.greeting,
        email_offer_after_s: site.emailOfferAfterS,
        sound: site.sound,
        // A number that is half typed can't be recognised yet.
        typing_preview: site.typingPreview && !redactsAnything(site.redaction),
        language: site.language,
        languages: site.languages,
        reply_time_s: replyTimeS,
        has_articles: catalogue.articleCount > 0,
        starters: starters.slice(0, STARTERS_SHOWN).map(({ id, label, prompt }) => ({ id, label, prompt })),
        uploads: site.uploads,
        survey: site.survey,
      },
      pre_chat: await questionsOf(ctx, fieldsToAsk(site.preChat, known, hasChatAnswers), language),
      sessions,
    },
  };
}
