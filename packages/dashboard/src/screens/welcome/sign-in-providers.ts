import { queryOptions } from '@tanstack/react-query';
import { get } from '../../api.ts';

/** An identity provider that the sign-in page offers. */
export interface SignInProvider {
  site_id: number;
  id: number;
  name: string;
}

/** The domain of a complete address; empty for any other text. */
export function domainOf(email: string): string {
  const domain = email.trim().toLowerCase().split('@')[1] ?? '';
  return /\.[^.\s]{2,}$/.test(domain) ? domain : '';
}

/** The providers of a domain; without a domain, those that everybody sees. */
export const providersQuery = (domain: string) =>
  queryOptions({
    queryKey: ['sign-in-providers', domain],
    queryFn: async () => {
      const query = domain === '' ? '' : `?domain=${encodeURIComponent(domain)}`;
      return (await get<{ providers: SignInProvider[] }>(`/app/sso/options${query}`)).data.providers;
    },
    staleTime: 60_000,
    retry: false,
  });

/** The address of a sign-in with a provider, with the page to continue to. */
export function startAddress({ site_id, id }: SignInProvider, email: string, next: string): string {
  const query = new URLSearchParams({ provider: String(id), next });
  if (domainOf(email) !== '') query.set('email', email.trim());
  return `/app/sso/${site_id}/start?${query}`;
}
