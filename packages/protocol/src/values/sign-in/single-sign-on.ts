import type { Gaps } from '../phrases.ts';
import { readerOf, sentenceWith } from '../sentences.ts';

/** Why a sign-in with an identity provider was refused. The sign-in page and the audit log say it in words. */
export const SIGN_IN_REFUSALS = [
  'expired',
  'denied',
  'unavailable',
  'invalid',
  'disabled',
  'no_email',
  'unverified',
  'domain',
  'other_account',
  'no_account',
  'removed',
  'plan_full',
  'attempts',
] as const;
export type SignInRefusal = (typeof SIGN_IN_REFUSALS)[number];

/**
 * Why the test of an identity provider fails. The API and the command line have the English sentence; the desk
 * recognises and translates it.
 */
export const PROVIDER_PROBLEMS = {
  dns_unknown: 'DNS: no server is named {host}.',
  dns_private:
    'DNS: {host} doesn’t have a public address. The operator can allow it in FOYER_SSO_PRIVATE_HOSTS.',
  refused: 'Connection: {host} refuses connections.',
  unreachable: 'Connection: {host} can’t be reached.',
  silent: 'Connection: {host} doesn’t answer.',
  tls: 'TLS: no encrypted connection to {host} ({detail}). Check the server’s certificate.',
  status: 'Discovery: {url} answered {status}. Check the issuer.',
  document: 'Discovery: {url} isn’t a complete discovery document ({detail}).',
  issuer: 'Issuer: the provider calls itself {issuer}. Enter exactly that as the issuer.',
  keys: 'Keys: the provider’s signing keys can’t be read from {url} ({detail}).',
  client: 'Client: the provider doesn’t accept this client ID and secret ({detail}).',
  metadata: 'Metadata: this isn’t the metadata of a SAML identity provider ({detail}).',
  metadata_status: 'Metadata: {url} answered {status}.',
  token: 'Client: the provider’s token endpoint gave an unexpected answer ({detail}).',
} as const;

type Problems = typeof PROVIDER_PROBLEMS;
export type ProviderProblem = keyof Problems;

/** The sentence for a problem. */
export const providerProblem = <K extends ProviderProblem>(
  problem: K,
  values: Readonly<Record<Gaps<Problems[K]>, string | number>>,
): string => sentenceWith(PROVIDER_PROBLEMS[problem], values);

/** The meaning of a sentence; undefined for one from another version. */
export const readProviderProblem = readerOf(PROVIDER_PROBLEMS, {
  host: '\\S+',
  url: '\\S+',
  status: '\\d+',
  issuer: '\\S+',
  detail: '.*',
});
