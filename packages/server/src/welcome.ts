import type { HelloFrame } from '@foyer/protocol';
import { chooseLanguage } from '@foyer/protocol/languages';
import type { Actor, Site, SiteContext } from './context.ts';
import { ownSessions } from './conversations/feed.ts';
import { fieldsToAsk } from './conversations/introduction.ts';
import type { ReplyTimes } from './conversations/reply-times.ts';
import { listStarters } from './knowledge/starters.ts';
import { sendsMail } from './mail/site-mailer.ts';
import type { Welcome } from './realtime/visitor.ts';
import type { KnownSite } from './sites/directory.ts';
import { presentLook } from './sites/look.ts';
import { openDevice } from './visitors/devices.ts';

const STARTERS_SHOWN = 6;

/** A visitor's handshake: who they are, as far as their browser can prove it, and what the widget shows. */
export async function welcome(
  contextFor: (site: Site, actor: Actor) => SiteContext,
  replyTimes: ReplyTimes,
  site: KnownSite | undefined,
  hello: HelloFrame,
  userAgent: string | undefined,
): Promise<{ actor: Extract<Actor, { kind: 'visitor' }>; welcome: Welcome }> {
  if (!site) throw new Error('the site was deleted during a handshake');
  const door = contextFor(site, { kind: 'job' });
  const device = await door.transaction((tx) =>
    openDevice(tx.db, site.id, {
      token: hello.token,
      key: hello.key,
      userHash: hello.user_hash,
      attributes: hello.attributes,
      browser: { userAgent, language: hello.locale, timeZone: hello.time_zone },
      now: tx.now(),
      vault: tx.services.vault,
      emit: (event) => tx.emit(event),
    }),
  );
  const actor = {
    kind: 'visitor',
    visitorId: device.visitorId,
    deviceId: device.deviceId,
    verified: device.verified,
    language: chooseLanguage([hello.locale ?? ''], site.languages, site.language),
  } as const;
  const ctx = contextFor(site, actor);
  const [starters, sessions, replyTimeS, catalogue] = await Promise.all([
    listStarters(ctx, { limit: STARTERS_SHOWN, order: 'asc' }),
    ownSessions(ctx),
    replyTimes.secondsOf(ctx),
    ctx.services.catalogues.catalogueOf(site.id),
  ]);
  const { key, name, email } = device.visitor;
  return {
    actor,
    welcome: {
      token: device.token,
      visitor: { key, name, email, verified: device.verified },
      site: {
        name: site.name,
        look: presentLook(site),
        greeting: site.greeting,
        email_offer_after_s: site.emailOfferAfterS,
        sound: site.sound,
        typing_preview: site.typingPreview,
        language: site.language,
        languages: site.languages,
        reply_time_s: replyTimeS,
        has_articles: catalogue.articleCount > 0,
        mails: await sendsMail(ctx),
        starters: starters.items.map(({ id: starterId, label, prompt }) => ({
          id: starterId,
          label,
          prompt,
        })),
        uploads: site.uploads,
        survey: site.survey,
      },
      pre_chat: fieldsToAsk(site.preChat, device.visitor),
      sessions,
    },
  };
}
