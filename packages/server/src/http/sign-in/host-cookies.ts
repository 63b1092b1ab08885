import type { FastifyRequest } from 'fastify';

/** Cookies that only this host reads, and no script. */
export interface HostCookies {
  read(request: FastifyRequest, name: string): string | undefined;
  /** The `set-cookie` value; its value must need no encoding. */
  set(name: string, value: string, maxAgeS: number): string;
}

/** With https the cookies have the `__Host-` prefix, which browsers refuse on http. */
export function createHostCookies(baseUrl: string): HostCookies {
  const isHttps = baseUrl.startsWith('https:');
  const nameOf = (name: string): string => `${isHttps ? '__Host-foyer' : 'foyer'}.${name}`;
  return {
    read({ headers }, name) {
      const start = `${nameOf(name)}=`;
      const cookie = (headers.cookie ?? '').split(/; */).find((one) => one.startsWith(start));
      return cookie?.slice(start.length);
    },
    set(name, value, maxAgeS) {
      const flags = ['Path=/', `Max-Age=${maxAgeS}`, 'HttpOnly', 'SameSite=Lax'];
      return [`${nameOf(name)}=${value}`, ...flags, ...(isHttps ? ['Secure'] : [])].join('; ');
    },
  };
}
