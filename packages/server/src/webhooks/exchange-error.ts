/** Node's codes of what goes wrong with a receiver, in words that tell nothing of addresses. */
const WORDS: Record<string, string> = {
  FOYER_ADDRESS_REFUSED: 'The host name does not lead to a public address.',
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before the whole answer had come.',
  EPIPE: 'The connection was closed before the whole answer had come.',
  ETIMEDOUT: 'The receiver could not be reached.',
  EHOSTUNREACH: 'The receiver could not be reached.',
  ENETUNREACH: 'The receiver could not be reached.',
  EADDRNOTAVAIL: 'The receiver could not be reached.',
  ENOTFOUND: 'The host name could not be resolved.',
  EAI_AGAIN: 'The host name could not be resolved.',
  ENODATA: 'The host name could not be resolved.',
  ETIMEOUT: 'The host name could not be resolved: its name servers do not answer.',
  EPROTO: 'The receiver does not speak TLS on this port.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The TLS certificate is for another host name.',
  CERT_HAS_EXPIRED: 'The TLS certificate has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The TLS certificate is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The TLS certificate is self-signed.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The TLS certificate could not be verified.',
  UNABLE_TO_GET_ISSUER_CERT: 'The TLS certificate could not be verified.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The TLS certificate could not be verified.',
  HPE_HEADER_OVERFLOW: "The answer's headers are too large.",
};

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** A failed exchange in words. Messages of the system are not passed on: they name addresses. */
export function wordsFor(error: unknown): string {
  const code = codeOf(error);
  const known = WORDS[code];
  if (known !== undefined) return known;
  if (code.startsWith('HPE_')) return 'The answer is not valid HTTP.';
  if (code.startsWith('ERR_TLS') || code.startsWith('ERR_SSL')) return `The TLS connection failed (${code}).`;
  return code === '' ? 'The exchange failed.' : `The exchange failed (${code}).`;
}

/** Why a whole answer with this status is no success, or null: 2xx alone is one (decisions 5). */
export function statusProblem(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `The receiver answered ${status}; redirects are not followed.`;
  return `The receiver answered ${status}.`;
}
