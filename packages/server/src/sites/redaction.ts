import type { Redaction } from '@foyer/protocol';
import { redact, redactsAnything } from '@foyer/protocol/values/redaction/redact';
import type { SiteContext } from '../core/context.ts';

declare module '../core/context.ts' {
  interface Services {
    /** What a site removes from strangers' texts before it stores them. Cached, because every message needs it. */
    readonly redactionOf: (siteId: number) => Promise<Redaction>;
  }
}

const NOTHING: Redaction = { kinds: [], patterns: [] };

/** The rules of a site that may have been deleted. */
export const redactionOfSite = (site: { redaction: Redaction } | undefined): Redaction =>
  site?.redaction ?? NOTHING;

/** A stranger's text, as the site stores it. */
export async function redacted(ctx: SiteContext, text: string): Promise<string> {
  const rules = await ctx.services.redactionOf(ctx.site.id);
  return redactsAnything(rules) ? redact(text, rules) : text;
}
