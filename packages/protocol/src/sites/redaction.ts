import { z } from 'zod';
import { REDACTION_NAME_MAX, REDACTION_PATTERN_MAX, REDACTION_PATTERNS_MAX } from '../values/bounds.ts';
import { text } from '../values.ts';

export const REDACTED_KINDS = ['card', 'iban', 'password'] as const;
export type RedactedKind = (typeof REDACTED_KINDS)[number];

/** A shorter pattern would match most numbers. */
const PATTERN_MIN_SIGNS = 4;

/** Letters and digits, which `#`, `@` and `*` stand for, too. */
const SIGNS = /[#@*\p{L}\p{Nd}]/gu;

/**
 * `#` a digit, `@` a letter, `*` either; a space is a space, a hyphen, a dot or nothing; anything else is itself,
 * whatever its case. Never a regular expression, so it takes no longer for hostile text.
 */
const pattern = text(1, REDACTION_PATTERN_MAX).refine(
  (value) => (value.match(SIGNS)?.length ?? 0) >= PATTERN_MIN_SIGNS,
  {
    error: `must have at least ${PATTERN_MIN_SIGNS} letters, digits or placeholders`,
    params: { reason: 'redaction_pattern' },
  },
);

/** What is redacted in visitors' and customers' text before it is stored. */
export const redaction = z.strictObject({
  kinds: z.array(z.enum(REDACTED_KINDS)).max(REDACTED_KINDS.length),
  patterns: z
    .array(z.strictObject({ name: text(1, REDACTION_NAME_MAX), pattern }))
    .max(REDACTION_PATTERNS_MAX),
});
export type Redaction = z.infer<typeof redaction>;
export type RedactionPattern = Redaction['patterns'][number];
