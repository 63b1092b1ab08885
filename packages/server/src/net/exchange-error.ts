import { type PlainWebhookReason, webhookSentence } from '@foyer/protocol/values/webhook-sentences';

/** Reasons by Node's error code. */
const REASONS: Record<string, PlainWebhookReason> = {
  FOYER_ADDRESS_REFUSED: 'name_not_public',
  ECONNREFUSED: 'refused',
  ECONNRESET: 'cut',
  EPIPE: 'cut',
  ETIMEDOUT: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ENOTFOUND: 'name_unknown',
  EAI_AGAIN: 'name_unknown',
  ENODATA: 'name_unknown',
  ETIMEOUT: 'name_servers_silent',
  EPROTO: 'no_tls',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate_name',
  CERT_HAS_EXPIRED: 'certificate_expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate_self_signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate_self_signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate_unverified',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate_unverified',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate_unverified',
  HPE_HEADER_OVERFLOW: 'headers_large',
};

/** The error's `code`, such as `ECONNREFUSED`; empty without one. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** The reason behind an error's code; undefined for an unknown one. */
export const reasonOf = (error: unknown): PlainWebhookReason | undefined => REASONS[codeOf(error)];

/** A failed exchange in words. System messages aren't passed on, because they contain addresses. */
export function wordsFor(error: unknown): string {
  const code = codeOf(error);
  const known = reasonOf(error);
  if (known !== undefined) return webhookSentence(known);
  if (code.startsWith('HPE_')) return webhookSentence('not_http');
  if (code.startsWith('ERR_TLS') || code.startsWith('ERR_SSL')) return webhookSentence('tls', code);
  return code === '' ? webhookSentence('failed') : webhookSentence('failed_code', code);
}

/** Why a response with this status is a failure; null for a 2xx. */
export function statusProblem(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return webhookSentence('redirect', status);
  return webhookSentence('status', status);
}
