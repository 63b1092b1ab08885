import { z } from 'zod';
import { TICKET_TEXT_MAX } from '../values/bounds.ts';
import { id, page, paging, sessionId, text, utc } from '../values.ts';
import { mention, mentions } from './mentions.ts';

/** Drafts unchanged for this long are deleted. */
export const DRAFT_KEEP_DAYS = 30;
/** Drafts per agent. A further one replaces the oldest. */
export const DRAFTS_MAX = 200;

/** A reply and a note have separate drafts. */
export const draftKind = z.enum(['reply', 'note']);
export type DraftKind = z.infer<typeof draftKind>;

/** The chat or ticket of a draft: exactly one of them. */
const conversation = { session_id: sessionId.optional(), ticket_id: id.optional() };
const namesOne = (input: { session_id?: string | undefined; ticket_id?: number | undefined }): boolean =>
  (input.session_id === undefined) !== (input.ticket_id === undefined);
const NOT_ONE = { path: ['session_id'], message: 'must be given if ticket_id isn’t, and not both' };

/** What an agent has written and not sent. Nobody else ever sees it. */
export const draft = z.object({
  kind: draftKind,
  text: z.string(),
  mentions: z.array(mention),
  /** Increases with each change; the newer of two drafts has the higher. */
  version: z.int(),
  updated_utc: utc,
});
export type SavedDraft = z.infer<typeof draft>;

/** A conversation with a draft. */
export const draftPlace = z.object({
  session_id: sessionId.nullable(),
  ticket_id: id.nullable(),
  kind: draftKind,
});
export type DraftPlace = z.infer<typeof draftPlace>;

export const writingContract = {
  /** The agent's conversations with drafts, the most recently changed first. */
  'drafts.list': { input: z.strictObject(paging), output: page(draftPlace) },
  /** The agent's drafts in a chat or ticket. */
  'drafts.get': {
    input: z.strictObject(conversation).refine(namesOne, NOT_ONE),
    output: z.object({ drafts: z.array(draft) }),
  },
  /**
   * Saves a draft; an empty text deletes it. `base_version` is the draft that the text is based on, null for none:
   * if there is a different one by now, nothing is saved, and the result contains it.
   */
  'drafts.save': {
    input: z
      .strictObject({
        ...conversation,
        kind: draftKind,
        text: text(0, TICKET_TEXT_MAX),
        mentions: mentions.default([]),
        base_version: z.int().min(1).nullable(),
      })
      .refine(namesOne, NOT_ONE),
    output: z.object({ saved: z.boolean(), draft: draft.nullable() }),
  },
} as const;
