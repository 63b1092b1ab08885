import type { Role } from '@foyer/protocol';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { post } from '../../api.ts';

interface SetUp {
  token: string;
  name: string;
  email: string;
  password: string;
  site_name: string;
  sample_knowledge: boolean;
}

export interface Invited {
  email: string;
  site_name: string;
  role: Role;
  has_account: boolean;
}

/** Whether the set-up link still works. */
export const checkSetUp = async (token: string): Promise<boolean> =>
  (await post<{ valid: boolean }>('/app/setup/check', { token })).data.valid;

/** Creates the first site with its admin, and signs them in. */
export const setUp = async (input: SetUp): Promise<{ public_key: string }> =>
  (await post<{ public_key: string }>('/app/setup', input)).data;

/** Who is invited where; throws for a link that no longer works. */
export const checkInvitation = async (token: string): Promise<Invited> =>
  (await post<Invited>('/app/invitation/check', { token })).data;

/** Joins the team and signs in. */
export const acceptInvitation = async (token: string, name: string, password: string): Promise<void> => {
  await post<unknown>('/app/invitation/accept', { token, name, password });
};

/** The one-time token behind `#`, which browsers send to no server. */
export function tokenInAddress(): string {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    // A link that was cut in the middle of a sign.
    return '';
  }
}

/** Goes on as whoever is signed in now, with nothing left of who was before. */
export function useEnter(): (path: string) => void {
  const client = useQueryClient();
  const router = useRouter();
  return (path) => {
    client.clear();
    router.history.push(path);
  };
}
