import { Resolver } from 'node:dns/promises';
import type { Logger } from 'pino';
import { createEmbeddingModel } from '../ai/embedding-model.ts';
import { createEncoder } from '../ai/encoder/encoder.ts';
import { createLanguageModels } from '../ai/site-models.ts';
import type { Config } from '../config.ts';
import type { Services } from '../core/context.ts';
import type { Keyring } from '../core/keyring.ts';
import type { StoredAddress } from '../core/public-address.ts';
import { createTokenDeriver, createVault } from '../core/vault.ts';
import type { Db } from '../db/database.ts';
import { FreshMails } from '../email/inbound/fresh-mails.ts';
import { createSignedLinks } from '../files/signed-links.ts';
import { createSiteIndexes } from '../knowledge/search/site-indexes.ts';
import { createPassageVectors } from '../knowledge/search/vectors/passage-vectors.ts';
import { createCrawler } from '../knowledge/sources/crawl/crawler.ts';
import { createMailer } from '../mail/mailer.ts';
import { createMailProviders, type MailEndpoints, type MailProviderId } from '../mail/oauth/providers.ts';
import { createGuardedFetch } from '../net/guarded-fetch.ts';
import { createSender } from '../net/sender.ts';
import { createPushSender } from '../notifications/web-push.ts';
import { createBreachCheck } from '../sites/sign-in/breached-passwords.ts';
import { createIdentityClient } from '../sites/single-sign-on/identity-client.ts';

/** External servers that a test replaces by its own. */
export interface Elsewhere {
  mailEndpoints?: Partial<Record<MailProviderId, MailEndpoints>>;
}

/** Where the defaults of other modules would make a test wait. */
export interface Paces {
  /** For each request to a language model. The default is in `ai/language-model`. */
  modelMaxMs?: number;
  /** Between two requests of the crawler to one host; default 1 s. */
  crawlPauseMs?: number;
}

/** Of one attempt to look up a record. */
const MAIL_DNS = { timeout: 3_000, tries: 2 };

function createMailDns(): Services['mailDns'] {
  const dns = new Resolver(MAIL_DNS);
  return (name: string, type: string) => dns.resolve(name, type) as Promise<string[] | string[][]>;
}

/** Services that only depend on the settings and the server's secret: the same in every process. */
export type SettledServices = Omit<
  Services,
  | 'presence'
  | 'desks'
  | 'liveVisitors'
  | 'passing'
  | 'indexes'
  | 'vectors'
  | 'catalogues'
  | 'admit'
  | 'redactionOf'
  | 'hasChatSlas'
  | 'blocksOf'
  | 'filesQuota'
>;

/** The installation's secrets, and the seed of the key that push services know it by. */
export interface KnownSecrets {
  keys: Keyring;
  pushSeed: Buffer;
}

/**
 * @param secrets undefined in a command beside a server whose secret isn't known; such services fail with `absent`
 */
export function settledServices(
  config: Config,
  address: StoredAddress,
  secrets: KnownSecrets | undefined,
  absent: () => never,
  log: Logger,
  { modelMaxMs, crawlPauseMs, mailEndpoints }: Paces & Elsewhere = {},
): SettledServices {
  const { webhooks, mail, ssoPrivateHosts, breachedPasswordsUrl } = config;
  const guardedFetch = createGuardedFetch(webhooks);
  const languageModels = createLanguageModels({
    environment: config.ai,
    articlesMaxChars: config.aiArticlesMaxChars,
    maxMs: modelMaxMs,
    guardedFetch,
  });
  const crawler = createCrawler({
    fetch: guardedFetch,
    home: () => address.url,
    now: () => new Date(),
    ...(crawlPauseMs === undefined ? {} : { pauseMs: crawlPauseMs }),
  });
  const settings = {
    address,
    mailDns: createMailDns(),
    freshMails: new FreshMails(),
    webhooks,
    mailer: mail && createMailer(mail),
    mailProviders: createMailProviders(config.mailSignIn, guardedFetch, mailEndpoints),
    identityClient: createIdentityClient({
      allowPrivate: webhooks.allowPrivate,
      privateHosts: ssoPrivateHosts,
    }),
    actions: createSender({ purpose: 'action', allowPrivate: webhooks.allowPrivate }),
    crawler,
    isBreached: createBreachCheck(breachedPasswordsUrl, guardedFetch, log),
    languageModels,
    newSitePlan: config.plan,
    clamav: config.clamav,
  };
  if (secrets === undefined)
    return {
      ...settings,
      vault: { seal: absent, open: absent },
      attachmentUrl: absent,
      derivedToken: Object.assign(() => absent(), { all: absent }),
      push: { publicKey: '', send: absent },
    };
  return {
    ...settings,
    vault: createVault(secrets.keys),
    attachmentUrl: createSignedLinks({ address, secret: secrets.keys }).urlOf,
    derivedToken: createTokenDeriver(secrets.keys),
    push: createPushSender({
      seed: secrets.pushSeed,
      baseUrl: address.url,
      allowPrivate: webhooks.allowPrivate,
    }),
  };
}

/** What the bot searches. */
export function knowledgeServices(
  db: Db,
  log: Logger,
  { ai, encoder }: Pick<Config, 'ai' | 'encoder'>,
): Pick<Services, 'indexes' | 'vectors'> {
  const model = encoder ? createEncoder(encoder) : createEmbeddingModel(ai);
  const vectors = model && createPassageVectors({ db, log, model });
  return { vectors, indexes: createSiteIndexes({ db, log, vectors }) };
}
