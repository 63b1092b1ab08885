import { randomUUID } from 'node:crypto';
import { MINUTE_MS } from '@foyer/protocol/values/durations';
import { z } from 'zod';
import type { SiteContext } from '../../core/context.ts';
import { samlAcsUrl, samlEntityId } from './addresses.ts';
import { certificatesIn } from './certificates.ts';
import { SignInRefused } from './claims.ts';
import { assertionIdentifier } from './flows.ts';
import type { Claims } from './identity-client.ts';
import type { ProviderRow } from './providers.ts';
import { openAnswer } from './saml-decryption.ts';
import { findSamlCertificate, samlKeys } from './saml-keys.ts';
import { wordsOf } from './test-provider.ts';

/** How far clocks may differ. */
const SKEW_MS = MINUTE_MS;
/** The time between the response and the page that the browser opens after it. */
const ASSERTION_MS = 2 * MINUTE_MS;
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
const EMAIL = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';

/** Providers' names for the same claims. */
const NAMES = {
  email: ['email', 'mail', 'emailAddress', 'urn:oid:0.9.2342.19200300.100.1.3', `${CLAIMS}/emailaddress`],
  name: [
    'name',
    'displayName',
    'urn:oid:2.16.840.1.113730.3.1.241',
    'http://schemas.microsoft.com/identity/claims/displayname',
  ],
  given_name: ['given_name', 'firstName', 'givenName', 'urn:oid:2.5.4.42', `${CLAIMS}/givenname`],
  family_name: ['family_name', 'lastName', 'sn', 'surname', 'urn:oid:2.5.4.4', `${CLAIMS}/surname`],
} as const;

/** The request's id, which the answer must name. Derived, because only a hash of the state is stored. */
const requestIdOf = ({ services }: SiteContext, state: string): string =>
  `_${services.derivedToken(`saml request ${state}`)}`;

async function clientOf(ctx: SiteContext, provider: ProviderRow, state: string, decryptionPvk?: string) {
  // Its XML parsers are loaded with the first sign-in.
  const { SAML, ValidateInResponseTo } = await import('@node-saml/node-saml');
  const requestId = requestIdOf(ctx, state);
  const { url } = ctx.services.address;
  return new SAML({
    issuer: samlEntityId(url, ctx.site.id),
    audience: samlEntityId(url, ctx.site.id),
    callbackUrl: samlAcsUrl(url, ctx.site.id),
    entryPoint: provider.saml_sign_in_url ?? '',
    idpIssuer: provider.issuer,
    idpCert: certificatesIn(provider.saml_certificates ?? ''),
    // The assertion itself is signed: a signature around it says less.
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: SKEW_MS,
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    ...(decryptionPvk && { decryptionPvk }),
    generateUniqueId: () => requestId,
    validateInResponseTo: ValidateInResponseTo.always,
    // Only this request was sent; its flow ensures that it is answered once.
    cacheProvider: {
      saveAsync: async (key, value) => ({ value, createdAt: Date.now(), key }),
      getAsync: async (key) => (key === requestId ? new Date().toISOString() : null),
      removeAsync: async (key) => key,
    },
  });
}

/** The provider's page with a request. */
export async function samlRequestUrl(
  ctx: SiteContext,
  provider: ProviderRow,
  state: string,
): Promise<string> {
  const client = await clientOf(ctx, provider, state);
  return client.getAuthorizeUrlAsync(state, undefined, {});
}

const confirmation = z.object({
  Assertion: z.object({
    Subject: z.tuple([
      z.object({
        SubjectConfirmation: z.array(
          z.object({
            $: z.object({ Method: z.literal('urn:oasis:names:tc:SAML:2.0:cm:bearer') }),
            SubjectConfirmationData: z.tuple([
              z.object({
                $: z.object({ Recipient: z.string(), InResponseTo: z.string(), NotOnOrAfter: z.string() }),
              }),
            ]),
          }),
        ),
      }),
    ]),
  }),
});

/** Whether the assertion, whose signature is good, was made for this request and this site. */
function isForRequest(ctx: SiteContext, assertion: unknown, state: string): boolean {
  const { data } = confirmation.safeParse(assertion);
  const recipient = samlAcsUrl(ctx.services.address.url, ctx.site.id);
  const confirmed = data?.Assertion.Subject[0].SubjectConfirmation ?? [];
  return confirmed.some(({ SubjectConfirmationData: [{ $: about }] }) => {
    const until = Date.parse(about.NotOnOrAfter);
    return (
      about.Recipient === recipient &&
      about.InResponseTo === requestIdOf(ctx, state) &&
      until + SKEW_MS > ctx.now().getTime()
    );
  });
}

const textOf = (value: unknown): string | undefined => {
  const [first] = Array.isArray(value) ? value : [value];
  return typeof first === 'string' && first.trim() !== '' ? first.trim() : undefined;
};

/** The assertion's subject and attributes, as the claims of OpenID Connect. */
function claimsIn(
  attributes: Readonly<Record<string, unknown>>,
  nameId: string,
  format: string | undefined,
): Claims {
  const at = (names: readonly string[]): string | undefined =>
    names
      .map((name) => (Object.hasOwn(attributes, name) ? textOf(attributes[name]) : undefined))
      .find(Boolean);
  const email = at(NAMES.email) ?? (format === EMAIL || nameId.includes('@') ? nameId : undefined);
  return {
    ...attributes,
    // A transient name changes each time.
    sub: format === TRANSIENT ? `email:${email ?? ''}` : nameId,
    email,
    // SAML has no claim for it: a person named by the company's provider has this address, within the provider's
    // domains.
    email_verified: true,
    name: at(NAMES.name),
    given_name: at(NAMES.given_name),
    family_name: at(NAMES.family_name),
  } as Claims;
}

function refuseDocumentType(xml: string): void {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml))
    throw new SignInRefused('invalid', { detail: 'it has a document type' });
}

/** The library would accept it. */
function refuseSha1(xml: string): void {
  // An attacker who finds collisions of SHA-1 can have something else signed. A character reference would hide its name.
  if (/\sAlgorithm\s*=\s*["'][^"'<>&]{0,200}(?:sha1\b|&)/i.test(xml))
    throw new SignInRefused('invalid', { detail: 'it is signed with SHA-1' });
}

/** Checks a response before the library reads it. @returns the key that decrypts its assertion */
async function checkAnswer(ctx: SiteContext, samlResponse: string): Promise<string | undefined> {
  const xml = Buffer.from(samlResponse, 'base64').toString();
  refuseDocumentType(xml);
  const { around, assertion = '', key } = await openAnswer(xml, await samlKeys(ctx));
  refuseDocumentType(assertion);
  // The encryption of the key itself may use SHA-1: nothing depends on its collisions.
  for (const part of [around, assertion]) refuseSha1(part);
  return key;
}

/**
 * Checks a response: signature, issuer, audience, recipient, time and request.
 * @throws SignInRefused
 */
export async function readAssertion(
  ctx: SiteContext,
  provider: ProviderRow,
  { state, samlResponse }: { state: string; samlResponse: string },
): Promise<Claims> {
  const key = await checkAnswer(ctx, samlResponse);
  const { SamlStatusError } = await import('@node-saml/node-saml');
  const client = await clientOf(ctx, provider, state, key);
  const { profile } = await client
    .validatePostResponseAsync({ SAMLResponse: samlResponse })
    .catch((error: unknown) => {
      const isStatus = error instanceof SamlStatusError;
      throw new SignInRefused(isStatus ? 'denied' : 'invalid', { detail: wordsOf(error) });
    });
  // After its status: a provider that refuses somebody sends no assertion.
  if (provider.saml_encrypted_only && key === undefined)
    throw new SignInRefused('invalid', { detail: 'it isn’t encrypted' });
  if (!profile?.nameID || profile.issuer !== provider.issuer)
    throw new SignInRefused('invalid', { detail: 'it names nobody, or has another issuer' });
  if (!isForRequest(ctx, profile.getAssertion?.(), state))
    throw new SignInRefused('invalid', { detail: 'it was made for another request or recipient' });
  const attributes = z.record(z.string(), z.unknown()).safeParse(profile.attributes).data ?? {};
  return claimsIn(attributes, profile.nameID, profile.nameIDFormat);
}

/** Keeps the claims of a checked response until the browser that began opens the page after it. */
export async function keepAssertion(ctx: SiteContext, state: string, claims: Claims): Promise<void> {
  await ctx.db
    .insertInto('auth_verifications')
    .values({
      id: randomUUID(),
      identifier: assertionIdentifier(state),
      value: JSON.stringify(claims),
      expires_at: new Date(ctx.now().getTime() + ASSERTION_MS),
    })
    .execute();
}

/** @throws SignInRefused without a checked response */
export async function takeAssertion(ctx: SiteContext, state: string): Promise<Claims> {
  const rows = await ctx.db
    .deleteFrom('auth_verifications')
    .where('identifier', '=', assertionIdentifier(state))
    .where('expires_at', '>', ctx.now())
    .returning('value')
    .execute();
  const [row] = rows;
  if (!row) throw new SignInRefused('expired');
  return JSON.parse(row.value) as Claims;
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const encryptionKey = (certificate: string): string => `
    <KeyDescriptor use="encryption">
      <KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${certificate.replace(/-----[^-]+-----|\s/g, '')}</X509Certificate></X509Data></KeyInfo>
      <EncryptionMethod Algorithm="http://www.w3.org/2009/xmlenc11#aes256-gcm"/>
      <EncryptionMethod Algorithm="http://www.w3.org/2009/xmlenc11#aes128-gcm"/>
      <EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes256-cbc"/>
      <EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/>
      <EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p"/>
    </KeyDescriptor>`;

/** Metadata for a provider to read, so that nobody has to enter each address there. */
export async function samlMetadata(ctx: SiteContext): Promise<string> {
  const { services, site } = ctx;
  const { url } = services.address;
  const certificate = await findSamlCertificate(ctx);
  return `<?xml version="1.0" encoding="UTF-8"?>
<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${escaped(samlEntityId(url, site.id))}">
  <SPSSODescriptor AuthnRequestsSigned="false" WantAssertionsSigned="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${certificate === null ? '' : encryptionKey(certificate)}
    <AssertionConsumerService index="0" isDefault="true" Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${escaped(samlAcsUrl(url, site.id))}"/>
  </SPSSODescriptor>
</EntityDescriptor>
`;
}
