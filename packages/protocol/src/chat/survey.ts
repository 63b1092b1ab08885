import { z } from 'zod';
import { SURVEY_QUESTION_MAX, SURVEY_THANKS_MAX } from '../values/bounds.ts';
import { SURVEY_OCCASIONS, SURVEY_SCALES } from '../values/wire-names.ts';
import { text } from '../values.ts';

/** The survey after a chat. An empty text: the widget's own, in the visitor's language. */
export const survey = z.strictObject({
  ask: z.enum(SURVEY_OCCASIONS),
  scale: z.enum(SURVEY_SCALES),
  question: text(0, SURVEY_QUESTION_MAX),
  thanks: text(0, SURVEY_THANKS_MAX),
});
export type Survey = z.infer<typeof survey>;
