import type { ActionStep, ActionStepOf, DeskIssue } from '@foyer/protocol';
import { z } from 'zod';
import { invalidInput } from '../base/errors.ts';
import type { Services, SiteContext } from '../core/context.ts';
import { fill } from './template.ts';

/** The values of headers, by step and lower-case name. */
type HeaderValues = Record<string, Record<string, string>>;

const headerValues: z.ZodType<HeaderValues> = z.record(z.string(), z.record(z.string(), z.string()));

/** The values as they are sent; none if they can't be decrypted, because FOYER_SECRET has changed. */
export function openHeaders(vault: Services['vault'], sealed: Buffer | null): HeaderValues {
  if (sealed === null) return {};
  try {
    return headerValues.parse(JSON.parse(vault.open(sealed)));
  } catch {
    return {};
  }
}

const originOf = (step: ActionStep | undefined): string | undefined =>
  step?.type === 'call' ? URL.parse(fill(step.url, {}, () => 'x'))?.origin : undefined;

/**
 * The header values of new steps: those given, and kept ones from what is stored. A stored value is never kept for
 * another server, because changing the address would reveal it.
 * @throws AppError 400 for a header that has no value.
 */
export function sealHeaders(
  ctx: SiteContext,
  steps: readonly ActionStep[],
  before: { readonly steps: readonly ActionStep[]; readonly headers_cipher: Buffer | null } | undefined,
): { readonly steps: ActionStep[]; readonly headers_cipher: Buffer | null } {
  const { vault } = ctx.services;
  const stored = openHeaders(vault, before?.headers_cipher ?? null);
  const issues: DeskIssue[] = [];
  const values: HeaderValues = {};
  const bare = steps.map((step, at): ActionStep => {
    if (step.type !== 'call') return step;
    const was = before?.steps.find(({ id }) => id === step.id);
    const kept = originOf(was) === originOf(step) ? (stored[step.id] ?? {}) : {};
    const own: Record<string, string> = {};
    for (const [number, { name, value }] of step.headers.entries()) {
      const given = value ?? kept[name.toLowerCase()];
      if (given !== undefined) own[name.toLowerCase()] = given;
      else
        issues.push({ path: `steps.${at}.headers.${number}.value`, message: 'is needed', reason: 'missing' });
    }
    if (step.headers.length > 0) values[step.id] = own;
    return { ...step, headers: step.headers.map(({ name }) => ({ name })) } satisfies ActionStepOf<'call'>;
  });
  if (issues.length > 0) throw invalidInput(issues);
  const hasAny = Object.keys(values).length > 0;
  return { steps: bare, headers_cipher: hasAny ? vault.seal(JSON.stringify(values)) : null };
}
