// The content security policy takes HTML that is parsed and scripts of workers only from policies that it names. Each
// is made in the part that needs it: what two parts share would be a file of its own.

interface TrustedTypes {
  /** What its functions return is no string, although it is used like one. */
  createPolicy<R>(name: 'foyer-article' | 'foyer-solver', rules: R): R;
}

/** Undefined in browsers without Trusted Types, which take the text itself. */
export type PageWithTrustedTypes = { readonly trustedTypes?: TrustedTypes };
