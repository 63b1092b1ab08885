/** The name that robots.txt and pages know this robot by. */
export const PRODUCT = 'FoyerBot';

/** Whether a page's robots rules forbid indexing. Rules for other robots are ignored. */
export function isNotForIndex(tag: string | null): boolean {
  const [, named, rules = tag ?? ''] = /^\s*([\w-]+)\s*:(.*)$/s.exec(tag ?? '') ?? [];
  if (named !== undefined && named.toLowerCase() !== PRODUCT.toLowerCase()) return false;
  return rules.split(',').some((rule) => /^(?:noindex|none)$/i.test(rule.trim()));
}
