import { z } from 'zod';
import { MODEL_KEY_MAX, MODEL_NAME_MAX, URL_MAX } from '../values/bounds.ts';
import { MODEL_PROBLEMS, MODEL_PROVIDERS } from '../values/wire-names.ts';
import { text } from '../values.ts';

const provider = z.enum(MODEL_PROVIDERS);

/** Which language model a site uses. Its key is never returned. */
export const languageModelSetup = z.object({
  /** The site's own settings win over those of the server's environment; null: the built-in bot answers. */
  source: z.enum(['site', 'environment']).nullable(),
  /** False: the site uses no model, although there may be one. */
  enabled: z.boolean(),
  /** What the server's environment offers. */
  environment: z.object({ provider, model: z.string() }).nullable(),
  own: z
    .object({
      provider,
      /** Null: Anthropic's own. */
      base_url: z.string().nullable(),
      model: z.string(),
      /** The key's last characters; empty for a short one; null without a key. */
      key_hint: z.string().nullable(),
    })
    .nullable(),
});
export type LanguageModelSetup = z.infer<typeof languageModelSetup>;

/** A header's value: a key with other characters could not be sent. */
const key = z
  .string()
  .trim()
  .min(1)
  .max(MODEL_KEY_MAX)
  .regex(/^[\x21-\x7e]+$/, 'must not contain spaces or special characters');

export const languageModelContract = {
  'language_model.get': { input: z.strictObject({}), output: languageModelSetup },
  'language_model.set': {
    input: z.strictObject({
      provider,
      /** Null: Anthropic's own. */
      base_url: text(1, URL_MAX).nullable(),
      model: text(1, MODEL_NAME_MAX),
      /** Omitted: keeps the stored key, but only for the same provider and address; null: none. */
      key: key.nullable().optional(),
    }),
    output: languageModelSetup,
  },
  /** Removes the site's own settings: those of the environment apply again. */
  'language_model.clear': { input: z.strictObject({}), output: languageModelSetup },
  'language_model.switch': { input: z.strictObject({ enabled: z.boolean() }), output: languageModelSetup },
  /** Asks the model one tiny question, which counts as one of the caller's texts of the day. */
  'language_model.test': {
    input: z.strictObject({}),
    output: z.object({
      /** Null: it works. */
      problem: z.enum(MODEL_PROBLEMS).nullable(),
      /** The provider's message, for a site's own model. */
      detail: z.string().nullable(),
      duration_ms: z.int(),
    }),
  },
} as const;
