import type { Role } from '@foyer/protocol';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { get, post } from '../../api.ts';
import { browserRegion } from '../../language.ts';

interface SetUp {
  token: string;
  name: string;
  email: string;
  password: string;
  site_name: string;
  sample_knowledge: boolean;
  /** If the setup asks for it. */
  public_url?: string;
}

export interface Invited {
  email: string;
  site_name: string;
  role: Role;
  has_account: boolean;
}

interface SetupCheck {
  /** Whether the setup link is still valid. */
  valid: boolean;
  asks_address: boolean;
}

export const checkSetUp = async (token: string): Promise<SetupCheck> =>
  (await post<SetupCheck>('/app/setup/check', { token })).data;

export interface NewSite {
  public_key: string;
  base_url: string;
}

/** Creates the first site with its admin, in this browser's language and time zone, and signs them in. */
export const setUp = async (input: SetUp): Promise<NewSite> =>
  (await post<NewSite>('/app/setup', { ...input, ...browserRegion() })).data;

/** Whether this Foyer has a site yet. */
export const setupStateQuery = queryOptions({
  queryKey: ['setup-state'],
  queryFn: async () => (await get<{ set_up: boolean }>('/app/setup/state')).data,
});

/** Who is invited, and where; throws for an invalid link. */
export const checkInvitation = async (token: string): Promise<Invited> =>
  (await post<Invited>('/app/invitation/check', { token })).data;

/** Joins the team and signs in. @returns the site */
export const acceptInvitation = async (token: string, name: string, password: string): Promise<number> =>
  (await post<{ site_id: number }>('/app/invitation/accept', { token, name, password })).data.site_id;

/** Whether this installation can send links by email. */
export const canMailLinks = async (): Promise<boolean> =>
  (await post<{ mail: boolean }>('/app/password/options', {})).data.mail;

/** Sends a link to choose a new password. The response is the same for unknown accounts. */
export const requestResetLink = async (email: string): Promise<void> => {
  await post<unknown>('/app/password/request', { email });
};

/** The account of a reset link; throws for an invalid link. */
export const checkResetLink = async (token: string): Promise<{ email: string }> =>
  (await post<{ email: string }>('/app/password/check', { token })).data;

/** Sets the new password and ends all sessions of the account. */
export const resetPassword = async (token: string, password: string): Promise<void> => {
  await post<unknown>('/app/password/reset', { token, password });
};

/** The one-time token after `#`, which browsers don't send to servers. */
export function tokenInAddress(): string {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    // A link that was truncated in the middle of an escape.
    return '';
  }
}

/** Continues as the person who is signed in now, with nothing left of anyone before. */
export function useEnter(): (path: string) => void {
  const client = useQueryClient();
  const router = useRouter();
  return (path) => {
    client.clear();
    router.history.push(path);
  };
}
