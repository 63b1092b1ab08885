import {
  type CipherGCM,
  constants,
  createCipheriv,
  publicEncrypt,
  randomBytes,
  randomUUID,
} from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inflateRawSync } from 'node:zlib';
import { SignedXml } from 'xml-crypto';

/** Two keys with their certificates, only for tests. */
const KEYS = {
  provider: {
    cert: `-----BEGIN CERTIFICATE-----
MIIDHTCCAgWgAwIBAgIUI1gkl0TZCoUR/sdnvZwoqTWLg6MwDQYJKoZIhvcNAQEL
BQAwHTEbMBkGA1UEAwwSbG9naW4uY29ycC5leGFtcGxlMCAXDTI2MTEyOTExMjMz
N1oYDzIxMjYxMTA1MTEyMzM3WjAdMRswGQYDVQQDDBJsb2dpbi5jb3JwLmV4YW1w
bGUwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIBAQCeJ5iKJTEhw0c9WtTl
B7lnqRQifAmZ7qCM647gvuokp7dP9S24A+7Tb7tTRHae5ElK7otZ6bJLXboUBIYe
S0qKXN6Cokjznww8WMAAjTkPRtwpGiSBaJYwbUogLXrvL9Ffr8SkkP9XzIdHu0vc
Ozti357PrsNMRiffyHcp8bCjcs5xxayNVfFqxl2gUKuPxyaOaCyKmmYHt1UBTg14
g4HCOJuFqxMz/lKu/SkygqWdV3ErhPISPnRDaQLx9g5nseXdrYyzAAwyQdpfMxfD
+FUakIzeo2EE0tjLCajbl6OX/zuP0QkRgmI8JFT33lFGpSFuIMkYAn9n97s5Jbib
rghhAgMBAAGjUzBRMB0GA1UdDgQWBBR88oF89x6wku1fabyBiBtIT3riSjAfBgNV
HSMEGDAWgBR88oF89x6wku1fabyBiBtIT3riSjAPBgNVHRMBAf8EBTADAQH/MA0G
CSqGSIb3DQEBCwUAA4IBAQCcKpLA3Zfux/8cGRl5K82LDEznyIMyS4GMC9P1JGTH
f/mKsUKc5CMOFkSsw3gtGrfFNLNg6FrqVjtFrX2IYr8Ib9PAA9fFqS0QbabwSCGq
+Vz9P11HrgRfbAxmngql9oYVRHBi2auDKTJ8TuxIGstcFfxU4LOajayZnALJ6uya
Pyyq7P+P/YyzrgxruOFwXb2iENzI7+KwuMV0Tz93p1YhWuIB8VztxI+w0aQBnvZM
kKTMW2y6k66CW+6M6Qkd2w4lCNh3ov4umlRpn9KdAnO+0hQ8Rvc3bHBQmPzEHjqU
8BmNDCIeGSiaEaINHla2VzmNCHijEon2qakxmNGc264D
-----END CERTIFICATE-----
`,
    key: `-----BEGIN PRIVATE KEY-----
MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQCeJ5iKJTEhw0c9
WtTlB7lnqRQifAmZ7qCM647gvuokp7dP9S24A+7Tb7tTRHae5ElK7otZ6bJLXboU
BIYeS0qKXN6Cokjznww8WMAAjTkPRtwpGiSBaJYwbUogLXrvL9Ffr8SkkP9XzIdH
u0vcOzti357PrsNMRiffyHcp8bCjcs5xxayNVfFqxl2gUKuPxyaOaCyKmmYHt1UB
Tg14g4HCOJuFqxMz/lKu/SkygqWdV3ErhPISPnRDaQLx9g5nseXdrYyzAAwyQdpf
MxfD+FUakIzeo2EE0tjLCajbl6OX/zuP0QkRgmI8JFT33lFGpSFuIMkYAn9n97s5
JbibrghhAgMBAAECggEAO4ck065/CTnCyTW0l0Yqg3lxAi/Uv1NBq/kHzNEfOU/F
YDulCzOzw3K1O/ize0fqzGDwI5YiTVrIbLttLd7h/iVJfTsPIV+Wj+pJzotZVEY0
HOZhojHXAgBI28aylG/Xq1/xsI2BBq+NpbK6MXk795G66WnayY1IeeMu8yMs/L/k
sRNKZcVUYmSk02W1FIorbIP8zCU4ThfUSGUZaqiMyK/LmKNuzLDXbNVz5+RRUL6U
/hjGvIdn+qyAfllEE+QjDF7aIrDU99xWvAsCKVww8YpCaaH6Pmz6/XvLnOpEqglo
3xRGCgKQjd4qIQO85bJqlr1+E5aw8fk7pKHWjKPujwKBgQDNrEF0VEOpXMTi0Pqf
Ewa+yMz8HDgk1405JGae0R3W1Xg7k24ISpdbDeBC8D9Cbzcw9SBKaMFjryay7In7
3OS0hx/pVwPCmD0kBdh9MEFP7o70rX3FRnycnCR9UW3rc9MYIvqK+Zbdhvl+NxfB
vj8zJOd4HDseTsQhG4d+lKG2zwKBgQDE2rVmwI80kqWlwPZTyCPiYul+S9B9lcOU
lT62ohrNGjYq659Fc/E2OPx4h0OxAR4W+TjoeDz1qF8xYbDFQrVVkqnxsong4/ln
ih4k/XlHNce8y+EWtrjlCgzcHqHcFm5fNThzFFP/ntzZGLsVX6vpfWC5Ptq75OOn
VrUyUR8ZzwKBgQC8Lh5ZTHv36txt1t1oTKVATENZbIxmER6yqL6IEzdlCD4Q7Gyh
g3YGpqSJOn320AFEdxOLYVuIVIpo7Qm2+z36eyPUgHv9QQO4AO06ZbtsYg5EirRn
mn2LYUX1r1qOMpRzIhXwsDq8B7IhLFE9QE9dASgT+miQ62qCDEklpOJtewKBgFag
iEN3aY2RGyQeDkhAQspVDLtvUYhyZ2bzZm2oWHL5ney1U5mUtAlQeonvvHIgM8WY
Vtq2Tt0sAvgQLWIhQPsvV2ntT4+Pwyk1Np7AjKYxnHwQnDUKo8Lm8VHMiR35IQj0
uqqpv20106oVn/5/438UlYPvjQIyb5wsJADIgg8xAoGBAMqg42o3X1+0h6dZtmoj
0aogC5zq/Muy7o4wxHGnSDikJKl7oQtEyclXXQtykAU28jIp8x8DD1y/ILY1GETh
7gOw6ieRX43VifZhXggWZBD+pY06owzW1VfsO3sHCbjmAwE+8Evc6in1/nAbWsly
vpVONNB3w6EfFQtTz+toL52n
-----END PRIVATE KEY-----
`,
  },
  stranger: {
    cert: `-----BEGIN CERTIFICATE-----
MIIDHTCCAgWgAwIBAgIUYoyP2gkBgyVRAy09V0P9uKhpMXgwDQYJKoZIhvcNAQEL
BQAwHTEbMBkGA1UEAwwSbG9naW4uY29ycC5leGFtcGxlMCAXDTI2MTEyOTExMjMz
N1oYDzIxMjYxMTA1MTEyMzM3WjAdMRswGQYDVQQDDBJsb2dpbi5jb3JwLmV4YW1w
bGUwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIBAQC+iHW5slTnkOTFfEnT
ZyoG7C5H0p5AaasAnwa6m7vrt5IcUXtU4r+6361Ipn2GhKluzxjGm+Oef99lDKU3
t+VeXTLLKlTW2qC9qfEJekrmUD3f+r1E/F6ctU7274eZyK1QGa+FF8X15Smf0LhT
0sKfD1dss35dwtvh2nU9gyWEC5YMuxUst0Gvu3ky3UTnl9LM9KXkeQ9IWEgzF09P
X2wEMHeMX4PwC1hjft4wr/HKkCctpqhS422DInkuCnXgT7D/V6MSsgR8G6T/h4Ky
I2PQHAV4IxZLcCCZ5yYXc4e6jBhPdNSXVsEpN67GjkhSGcg0xJNV30eynhGIsPZH
DVTZAgMBAAGjUzBRMB0GA1UdDgQWBBRfaqQUNj/vEtZPFMUMs65aljYHLjAfBgNV
HSMEGDAWgBRfaqQUNj/vEtZPFMUMs65aljYHLjAPBgNVHRMBAf8EBTADAQH/MA0G
CSqGSIb3DQEBCwUAA4IBAQCzDkgUTQLlNa5+NV5V1rIi73/sUN/0letjhNvHx8s5
WFH+W/wchdyJ8ibMJ8c1/6vZUc+AFRqC0t4CmREyI6EWthknaVOr9ccTftu1t7q5
aNxlO/datgx5cwlBBFeEWrC/IC59KUypYXhRO4P0dzWchHxh08MOuw5O34etLAh1
OXfasX2AYubs7NC0gSzCvStseViwbHxZIhxYUJmzDVPG0AMnRLLFUYLJtXiH/zNz
TcxwUHEvVQy6yXpfJJQeYGoyC+0NYs4B2Io473bBY1u5gp3DmnqdnJMHDGl6b50V
TUDwODaPuxZd/F5r2DpX0w7Oi9QI7YhyXMbmz5SfyS4u
-----END CERTIFICATE-----
`,
    key: `-----BEGIN PRIVATE KEY-----
MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC+iHW5slTnkOTF
fEnTZyoG7C5H0p5AaasAnwa6m7vrt5IcUXtU4r+6361Ipn2GhKluzxjGm+Oef99l
DKU3t+VeXTLLKlTW2qC9qfEJekrmUD3f+r1E/F6ctU7274eZyK1QGa+FF8X15Smf
0LhT0sKfD1dss35dwtvh2nU9gyWEC5YMuxUst0Gvu3ky3UTnl9LM9KXkeQ9IWEgz
F09PX2wEMHeMX4PwC1hjft4wr/HKkCctpqhS422DInkuCnXgT7D/V6MSsgR8G6T/
h4KyI2PQHAV4IxZLcCCZ5yYXc4e6jBhPdNSXVsEpN67GjkhSGcg0xJNV30eynhGI
sPZHDVTZAgMBAAECggEAFKYAfyFH0QgreMj/TbMpk3I7UkKNrqyc8P5q+eR4fUNJ
yPqeH20K6v9EXeIYKrC8FXOJa3W3uWTBgqeYDKWn7H30bB7gbp/nKWLOSdEIZrUV
vY0kf6JLhRdjkUCUbRq5yJteAZIZ3KwLAqQ5o7DssVT17CR4KoRcdLmqeMH6mfiA
84jTnrntm9R0i/q2uLmXqwFE3wo3bh4zF/JNmLx1dnkBZgI/k0OEcqB07D9mauwd
DmKwV1eXzdNwqVkxwgqO1Dm9Fb9S5FgT2GX0drJBFKBqB/gdf4hcgxlcnxzfda64
OckXN5p3tB17B1pYljagwR+IAKmPCGifgTeWa89iEQKBgQDvDLN1YUo9wF0mEfu5
UWC6twrwVn6hPF2yhwXY5LPbPuWcTsj6cn7eDzUiSAnHftUw8vnw6RkBVbSFgTe9
YHnj61mTZzWW3DuQFQVUn8N/syhN0/6zuVkhN8ujuHk1x+HdHOLt34CX+z3/9AyJ
xMKV4r+RKh7AP1CItf0NaicncQKBgQDMCxJkMGJWtLe0mVqqMfE1RNlvZrtbo32l
xi+e/fss925fqYkNsP+lLRtZBd+1XZWqcQ6BZAj2kDoiV4+iSsaN9XcJguT7r97+
WUQqj57fey97alcAW7Hv07k8T5P+BpvoLak3oELucmvZFMmp816mXpIZasAxcy4b
YoZvTX/f6QKBgGoj3o7QyvEON43O0FEhY+yjl3TNQt5+ei/pqdv6+CzyCWtUxAIH
0nLwl6wIBmeQ1kIssHOaXCLulf/tNv2cF6LufdBoNDAuyzeXTc2cPma1+sBLz7yn
IH8SUhX4s8EAZjYSPGRYJ7XTtVyvVN3bAncgveRLqmm78xswixJovsfRAoGBAML+
GbdRXckKrzySCUj4rVCA2WJSxN4QYbUYrs28XltcokgdVnKVIdoSPz5WFLHYG31k
yb3xgXdP4Z6MGyG3YASt/fJC+t1j9zEO0cvysJtVt8yzlS0sc+GDblQqoH10h23c
pQgZyZziEBrGeOpHP76yReCwWbdoITnecCbR41BxAoGARigi5WlLfTCYxmNswSij
+94i/EkyNyLNNjmQRtEl/WMauPFdV5GPUeBoyO/ORPx7eALlVqoNpjdwGP3UAFjy
jMPdBdVsLn0Y/JVTX5/lgAh3L3eRIsrFAftY7oLeegd8Bz64mwLmXNCMkWSgQgcN
INI0iLkpPR+v/s3Z/OJ5pJA=
-----END PRIVATE KEY-----
`,
  },
};
export const PROVIDER_CERTIFICATE = KEYS.provider.cert;
export const PROVIDER_KEY = KEYS.provider.key;
export const STRANGER_CERTIFICATE = KEYS.stranger.cert;

/** The contents of a request. */
export interface SamlRequest {
  id: string;
  issuer: string;
  acs: string;
  relayState: string;
}

/** How an assertion is encrypted. */
export interface Encryption {
  certificate: string;
  /** Instead of AES-256-GCM and RSA-OAEP. */
  data?: 'aes256-cbc' | 'tripledes-cbc';
  key?: 'rsa-1_5';
  /** Changes the signed assertion before. */
  before?: (xml: string) => string;
}

/** The contents of an assertion; what is omitted is as it should be. */
export interface Said {
  nameId?: string;
  format?: string;
  attributes?: Record<string, string | string[]>;
  issuer?: string;
  audience?: string;
  recipient?: string;
  inResponseTo?: string;
  /** How far the provider's clock is ahead. */
  shiftMs?: number;
  status?: string;
  signedBy?: keyof typeof KEYS | 'nobody';
  /** Instead of SHA-256. */
  hash?: 'sha1';
  /** Changes the assertion before it is signed, such as by a comment. */
  inside?: (xml: string) => string;
  encryption?: Encryption;
  /** Changes the response after that. */
  outside?: (xml: string) => string;
}

const MINUTE_MS = 60_000;

/** Reads a request as a provider does, from the address that the browser is sent to. */
export function readRequest(location: string): SamlRequest {
  const { searchParams } = new URL(location);
  const xml = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
  const at = (pattern: RegExp): string => pattern.exec(xml)?.[1] ?? '';
  return {
    id: at(/ ID="([^"]+)"/),
    issuer: at(/<saml:Issuer[^>]*>([^<]+)</),
    acs: at(/AssertionConsumerServiceURL="([^"]+)"/),
    relayState: searchParams.get('RelayState') ?? '',
  };
}

function signed(xml: string, id: string, by: keyof typeof KEYS, hash: Said['hash']): string {
  const { key, cert } = KEYS[by];
  const signature = new SignedXml({
    privateKey: key,
    publicCert: cert,
    signatureAlgorithm:
      hash === 'sha1'
        ? 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'
        : 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  });
  signature.addReference({
    xpath: `//*[@ID='${id}']`,
    digestAlgorithm:
      hash === 'sha1' ? 'http://www.w3.org/2000/09/xmldsig#sha1' : 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms: [
      'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
      'http://www.w3.org/2001/10/xml-exc-c14n#',
    ],
  });
  signature.computeSignature(xml, {
    location: { reference: `//*[@ID='${id}']/*[local-name()='Issuer']`, action: 'after' },
  });
  return signature.getSignedXml();
}

const XMLENC = 'http://www.w3.org/2001/04/xmlenc#';
const CIPHERS = {
  'aes256-gcm': { name: 'aes-256-gcm', uri: 'http://www.w3.org/2009/xmlenc11#aes256-gcm', key: 32, iv: 12 },
  'aes256-cbc': { name: 'aes-256-cbc', uri: `${XMLENC}aes256-cbc`, key: 32, iv: 16 },
  'tripledes-cbc': { name: 'des-ede3-cbc', uri: `${XMLENC}tripledes-cbc`, key: 24, iv: 8 },
} as const;

function encrypted(xml: string, { certificate, data, key, before = (same) => same }: Encryption): string {
  const cipher = CIPHERS[data ?? 'aes256-gcm'];
  const secret = randomBytes(cipher.key);
  const iv = randomBytes(cipher.iv);
  const engine = createCipheriv(cipher.name, secret, iv);
  const sealed = [iv, engine.update(before(xml)), engine.final()];
  if (data === undefined) sealed.push((engine as CipherGCM).getAuthTag());
  const padding = key ? constants.RSA_PKCS1_PADDING : constants.RSA_PKCS1_OAEP_PADDING;
  const wrapped = publicEncrypt({ key: certificate, padding }, secret).toString('base64');
  return `<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"><xenc:EncryptedData xmlns:xenc="${XMLENC}" Type="${XMLENC}Element"><xenc:EncryptionMethod Algorithm="${cipher.uri}"/><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><xenc:EncryptedKey><xenc:EncryptionMethod Algorithm="${XMLENC}${key ?? 'rsa-oaep-mgf1p'}"><ds:DigestMethod Algorithm="http://www.w3.org/2000/09/xmldsig#sha1"/></xenc:EncryptionMethod><xenc:CipherData><xenc:CipherValue>${wrapped}</xenc:CipherValue></xenc:CipherData></xenc:EncryptedKey></ds:KeyInfo><xenc:CipherData><xenc:CipherValue>${Buffer.concat(sealed).toString('base64')}</xenc:CipherValue></xenc:CipherData></xenc:EncryptedData></saml:EncryptedAssertion>`;
}

/** The provider's answer to a request, in base64. */
export function samlResponse(request: SamlRequest, issuerOf: string, said: Said = {}): string {
  const { shiftMs = 0, signedBy = 'provider', inside = (xml) => xml, outside = (xml) => xml } = said;
  const at = (ms: number): string => new Date(Date.now() + shiftMs + ms).toISOString();
  const id = `_${randomUUID()}`;
  const issuer = said.issuer ?? issuerOf;
  const inResponseTo = said.inResponseTo ?? request.id;
  const attributes = Object.entries(said.attributes ?? {}).map(
    ([name, values]) =>
      `<saml:Attribute Name="${name}">${[values]
        .flat()
        .map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`)
        .join('')}</saml:Attribute>`,
  );
  const assertion = inside(
    `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="${at(0)}"><saml:Issuer>${issuer}</saml:Issuer><saml:Subject><saml:NameID Format="${said.format ?? 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'}">${said.nameId ?? 'u1'}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData InResponseTo="${inResponseTo}" Recipient="${said.recipient ?? request.acs}" NotOnOrAfter="${at(5 * MINUTE_MS)}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${at(-MINUTE_MS)}" NotOnOrAfter="${at(5 * MINUTE_MS)}"><saml:AudienceRestriction><saml:Audience>${said.audience ?? request.issuer}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${at(0)}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement></saml:Assertion>`,
  );
  const status = said.status ?? 'urn:oasis:names:tc:SAML:2.0:status:Success';
  const stated = signedBy === 'nobody' ? assertion : signed(assertion, id, signedBy, said.hash);
  const sent = said.encryption ? encrypted(stated, said.encryption) : stated;
  const body = status.endsWith('Success') ? sent : '';
  const response = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_${randomUUID()}" Version="2.0" IssueInstant="${at(0)}" Destination="${request.acs}" InResponseTo="${inResponseTo}"><saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="${status}"/></samlp:Status>${body}</samlp:Response>`;
  return Buffer.from(outside(response)).toString('base64');
}

/** An identity provider with a sign-in page, which posts its response by a form. */
export interface SamlProvider {
  readonly entityId: string;
  readonly signInUrl: string;
  /** The claims of the person with this account. */
  readonly people: Map<string, Said>;
  close(): Promise<void>;
}

export async function startSamlProvider(): Promise<SamlProvider> {
  const people = new Map<string, Said>();
  const entityId = 'https://login.corp.example/entity';
  const server = createServer((incoming, outgoing) => {
    const url = new URL(incoming.url ?? '/', 'http://127.0.0.1');
    const hidden = (name: string, value: string): string =>
      `<input type="hidden" name="${name}" value="${value}">`;
    outgoing.setHeader('content-type', 'text/html; charset=utf-8');
    const account = url.searchParams.get('account');
    if (account === null) {
      const kept = ['SAMLRequest', 'RelayState'].map((name) =>
        hidden(name, url.searchParams.get(name) ?? ''),
      );
      outgoing.end(
        `<title>Log in</title><h1>Company login</h1><form><label>Account <input name="account"></label>${kept.join('')}<button>Log in</button></form>`,
      );
      return;
    }
    const request = readRequest(url.href);
    const answer = samlResponse(request, entityId, people.get(account));
    outgoing.end(
      `<title>Going on</title><form method="post" action="${request.acs}">${hidden('SAMLResponse', answer)}${hidden('RelayState', request.relayState)}</form><script>document.forms[0].submit()</script>`,
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    entityId,
    signInUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sso`,
    people,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
