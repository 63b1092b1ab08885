declare module 'mailauth/lib/tools.js' {
  /** @returns the first of the domains that belongs to the organisation of the From domain */
  export function getAlignment(from: string, domains: readonly string[], strict: boolean): unknown;
}
