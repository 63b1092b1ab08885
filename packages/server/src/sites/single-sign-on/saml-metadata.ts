import { X509Certificate } from 'node:crypto';
import type { OutputOf, ParsedInputOf } from '@foyer/protocol';
import { providerProblem } from '@foyer/protocol/values/sign-in/single-sign-on';
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { invalidInput } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { connectionProblem, wordsOf } from './test-provider.ts';

type Found = NonNullable<OutputOf<'identity_providers.read_metadata'>['found']>;

const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const CERTIFICATE_MAX_CHARS = 10_000;

/** Why a document is no metadata. */
class NoMetadata extends Error {}

/** Collects the settings in the metadata of an identity provider, as its elements are read. */
class Reader {
  readonly #path: string[] = [];
  readonly #certificates = new Set<string>();
  readonly #issuers: string[] = [];
  #entity = '';
  #signInUrl = '';
  #text = '';
  /** The use of the key within; providers also sign with one that isn't only for encryption. */
  #use = '';

  open({ local, uri, attributes }: SaxesTagNS): void {
    const at = (name: string): string => attributes[name]?.value.trim() ?? '';
    this.#path.push(`${uri} ${local}`);
    this.#text = '';
    if (uri !== METADATA) return;
    if (local === 'EntityDescriptor') this.#entity = at('entityID');
    if (local === 'IDPSSODescriptor') this.#issuers.push(this.#entity);
    if (local === 'KeyDescriptor') this.#use = at('use');
    if (local === 'SingleSignOnService' && this.#isProvider && at('Binding') === REDIRECT)
      this.#signInUrl ||= at('Location');
  }

  write(text: string): void {
    if (this.#path.at(-1) === `${SIGNATURE} X509Certificate` && this.#text.length < CERTIFICATE_MAX_CHARS)
      this.#text += text;
  }

  close({ local, uri }: SaxesTagNS): void {
    if (local === 'X509Certificate' && uri === SIGNATURE && this.#isProvider && this.#isInKey)
      if (this.#use !== 'encryption') this.#certificates.add(this.#text.replace(/\s+/g, ''));
    this.#path.pop();
  }

  get #isProvider(): boolean {
    return this.#path.includes(`${METADATA} IDPSSODescriptor`);
  }
  /** The metadata itself may be signed with other keys. */
  get #isInKey(): boolean {
    return this.#path.includes(`${METADATA} KeyDescriptor`);
  }

  /** @throws NoMetadata */
  found(): Found {
    const [issuer = '', ...others] = this.#issuers;
    if (others.length > 0) throw new NoMetadata('it describes several identity providers');
    if (issuer === '') throw new NoMetadata('it describes no identity provider');
    if (this.#signInUrl === '') throw new NoMetadata('it has no sign-in URL for HTTP-Redirect');
    if (this.#certificates.size === 0) throw new NoMetadata('it has no signing certificate');
    const certificates = [...this.#certificates].map(pemOf);
    return { issuer, sign_in_url: this.#signInUrl, certificates: certificates.join('\n') };
  }
}

function pemOf(base64: string): string {
  try {
    return new X509Certificate(Buffer.from(base64, 'base64')).toString().trim();
  } catch {
    throw new NoMetadata('a certificate can’t be read');
  }
}

/** @throws NoMetadata */
function readMetadata(xml: string): Found {
  const reader = new Reader();
  const parser = new SaxesParser({ xmlns: true });
  parser.on('doctype', () => {
    throw new NoMetadata('it has a document type');
  });
  parser.on('error', (error) => {
    throw new NoMetadata(wordsOf(error));
  });
  parser.on('opentag', (tag) => reader.open(tag));
  parser.on('text', (text) => reader.write(text));
  parser.on('closetag', (tag) => reader.close(tag));
  parser.write(xml.replace(/^\uFEFF/, '').trimStart()).close();
  return reader.found();
}

type Answer = OutputOf<'identity_providers.read_metadata'>;
const failed = (problem: string): Answer => ({ problem, found: null });

/**
 * Reads the settings of a new SAML provider from its metadata, at an address or as a file; stores nothing.
 * @throws AppError 400 for an address that isn't https
 */
export async function readProviderMetadata(
  ctx: SiteContext,
  { url, xml }: ParsedInputOf<'identity_providers.read_metadata'>,
): Promise<Answer> {
  const { identityClient } = ctx.services;
  let text = xml ?? '';
  if (url !== undefined) {
    const message = identityClient.issuerProblem(url);
    if (message !== null) throw invalidInput([{ path: 'url', message, reason: 'issuer' }]);
    try {
      const answer = await identityClient.readDocument(url);
      if (answer.status !== 200)
        return failed(providerProblem('metadata_status', { url, status: answer.status }));
      text = answer.text;
    } catch (error) {
      return failed(connectionProblem(error, url) ?? providerProblem('metadata', { detail: wordsOf(error) }));
    }
  }
  try {
    return { problem: null, found: readMetadata(text) };
  } catch (error) {
    if (!(error instanceof NoMetadata)) throw error;
    return failed(providerProblem('metadata', { detail: error.message }));
  }
}
