import { isDatabaseLost } from '../base/errors.ts';
import { reasonOf, StartError } from '../base/start-error.ts';

/** Errors of Node's TLS about the server's certificate. */
const CERTIFICATE_ERRORS =
  /^(ERR_TLS_CERT_ALTNAME_INVALID|CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_)/;
const LOGIN_ERRORS = /^(28...|3D000)$/;
const NO_TLS = 'The server does not support SSL connections';

/** The one line for a database that can't be used at the start; anything else is returned as it is. */
export function databaseStartFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StartError) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const reason = reasonOf(error);
  if (CERTIFICATE_ERRORS.test(code))
    return new StartError(
      // Node adds a hint about its own options, which aren't ours.
      `The certificate of PostgreSQL isn't trusted (${reason.split(';')[0]}). Set sslrootcert=FILE in DATABASE_URL to the ` +
        'certificate of its authority, or choose another sslmode.',
    );
  if (reason === NO_TLS)
    return new StartError('PostgreSQL offers no TLS, but sslmode in DATABASE_URL demands it.');
  if (LOGIN_ERRORS.test(code)) return new StartError(`PostgreSQL refused the connection: ${reason}`);
  return isDatabaseLost(error) ? new StartError(`PostgreSQL is unavailable: ${reason || code}`) : error;
}
