import { z } from 'zod';
import { fieldKey } from '../fields/fields.ts';
import {
  CONSENT_WORDING_MAX,
  PRE_CHAT_ANSWER_MAX,
  PRE_CHAT_FIELDS_MAX,
  PRE_CHAT_LABEL_MAX,
} from '../values/bounds.ts';
import {
  ASKED_FIELD_OWNERS,
  FIELD_CHOICE_MAX,
  FIELD_CHOICES_MAX,
  FIELD_KEY_MAX,
} from '../values/fields/field-names.ts';
import { preChatKey } from '../values/wire-names.ts';
import { done, email, sessionId, text, visitorName } from '../values.ts';

const required = z.boolean();
const label = text(1, PRE_CHAT_LABEL_MAX);
/** The visitor's attribute in which the answer is stored. */
const attribute = z
  .string()
  .trim()
  .regex(
    /^(?!(?:key|email|name|__proto__)$)[A-Za-z_][A-Za-z0-9_]{0,59}$/,
    'must be at most 60 letters, digits and _, and not key, email or name',
  );

/** The widget labels name and address in the visitor's language. The site labels all other fields. */
export const preChatField = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('name'), required }),
  z.strictObject({ kind: z.literal('email'), required }),
  /** Something to agree to. The label is its wording, in Markdown: `[privacy policy](https://…)` is a link. */
  z.strictObject({ kind: z.literal('consent'), label: text(1, CONSENT_WORDING_MAX), required }),
  z.strictObject({ kind: z.literal('text'), attribute, label, required }),
  z.strictObject({
    kind: z.literal('choice'),
    attribute,
    label,
    required,
    options: z
      .array(text(1, PRE_CHAT_LABEL_MAX))
      .min(2, 'must have at least 2 options')
      .max(20, 'must have at most 20 options')
      .refine((options) => new Set(options).size === options.length, {
        error: 'must not repeat an option',
        params: { reason: 'twice' },
      }),
  }),
  /** A custom field that visitors may see, under its name and with its choices. */
  z.strictObject({ kind: z.literal('field'), of: z.enum(ASKED_FIELD_OWNERS), key: fieldKey, required }),
]);
export type PreChatField = z.infer<typeof preChatField>;
type OwnField = Extract<PreChatField, { kind: 'field' }>;

/** A custom field as the widget asks for it. `choices` may have several answers. */
export interface FieldQuestion extends Omit<OwnField, 'kind'> {
  kind: 'text' | 'choice' | 'choices';
  label: string;
  /** Of text. */
  input: 'text' | 'number' | 'date' | 'url';
  options: string[];
}
export type PreChatQuestion = Exclude<PreChatField, OwnField> | FieldQuestion;

/** Two questions with the same answer are one too many. */
const storedAs = (field: PreChatField): string =>
  field.kind === 'field' && field.of === 'people' ? field.key : preChatKey(field);

/** What a site asks before a visitor's first chat, in order. */
export const preChat = z
  .array(preChatField)
  .max(PRE_CHAT_FIELDS_MAX, `must have at most ${PRE_CHAT_FIELDS_MAX} fields`)
  .refine((fields) => new Set(fields.map(storedAs)).size === fields.length, {
    error: 'must not repeat a field',
    params: { reason: 'twice' },
  });

/** What a visitor may do over the widget's socket besides chatting. */
export const doorContract = {
  /** The answers to `welcome.pre_chat`, which is asked once. */
  'chat.introduce': {
    input: z.strictObject({
      name: visitorName.optional(),
      email: email.optional(),
      /** The wording that the visitor has agreed to, as it was shown. */
      consent: text(1, CONSENT_WORDING_MAX).optional(),
      attributes: z
        .record(attribute, text(1, PRE_CHAT_ANSWER_MAX))
        .refine(
          (answers) => Object.keys(answers).length <= PRE_CHAT_FIELDS_MAX,
          `must have at most ${PRE_CHAT_FIELDS_MAX} answers`,
        )
        .optional(),
      /** The answers, by `chats.KEY` or `people.KEY`. */
      fields: z
        .record(
          text(1, FIELD_KEY_MAX + 'people.'.length),
          z.union([
            text(1, PRE_CHAT_ANSWER_MAX),
            z.array(text(1, FIELD_CHOICE_MAX)).min(1).max(FIELD_CHOICES_MAX),
          ]),
        )
        .refine(
          (answers) => Object.keys(answers).length <= PRE_CHAT_FIELDS_MAX,
          `must have at most ${PRE_CHAT_FIELDS_MAX} answers`,
        )
        .optional(),
    }),
    output: done,
  },
  /** `email` is used only if the visitor has given no address yet. The result contains the recipient. */
  'chat.mail_transcript': {
    input: z.strictObject({ session_id: sessionId, email: email.optional() }),
    output: z.object({ email: z.string() }),
  },
} as const;
