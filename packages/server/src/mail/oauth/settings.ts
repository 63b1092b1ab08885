import { StartError } from '../../base/start-error.ts';

/** This installation's registration with a provider. */
export interface OAuthClient {
  readonly id: string;
  readonly secret: string;
}

/** The operator's registrations with the providers that mailboxes sign in with. */
export interface MailSignInSettings {
  /** Undefined: mailboxes can't sign in with Google. */
  readonly google: OAuthClient | undefined;
  readonly microsoft: OAuthClient | undefined;
  /** Whose accounts may sign in: a tenant's id or domain, `common`, `organizations` or `consumers`. */
  readonly microsoftTenant: string;
}

type Environment = Record<string, string | undefined>;

function readClient(environment: Environment, provider: string): OAuthClient | undefined {
  const [idName, secretName] = [`FOYER_${provider}_CLIENT_ID`, `FOYER_${provider}_CLIENT_SECRET`];
  const [id, secret] = [environment[idName]?.trim(), environment[secretName]?.trim()];
  if (!id && !secret) return undefined;
  if (!id) throw new StartError(`${idName} is missing: ${secretName} is set`);
  if (!secret) throw new StartError(`${secretName} is missing: ${idName} is set`);
  return Object.freeze({ id, secret });
}

/** @throws StartError with one line that names the variable */
export function readMailSignIn(environment: Environment): MailSignInSettings {
  const { FOYER_GOOGLE_CLIENT_ID, FOYER_GOOGLE_CLIENT_SECRET } = environment;
  const { FOYER_MICROSOFT_CLIENT_ID, FOYER_MICROSOFT_CLIENT_SECRET } = environment;
  const tenant = environment.FOYER_MICROSOFT_TENANT?.trim() || 'common';
  if (!/^[\w.-]{1,100}$/.test(tenant))
    throw new StartError(
      'FOYER_MICROSOFT_TENANT is invalid: expected a tenant’s id or domain, common, organizations or consumers',
    );
  return Object.freeze({
    google: readClient({ FOYER_GOOGLE_CLIENT_ID, FOYER_GOOGLE_CLIENT_SECRET }, 'GOOGLE'),
    microsoft: readClient({ FOYER_MICROSOFT_CLIENT_ID, FOYER_MICROSOFT_CLIENT_SECRET }, 'MICROSOFT'),
    microsoftTenant: tenant,
  });
}
