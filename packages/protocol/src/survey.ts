import { z } from 'zod';
import { text } from './values.ts';

/** After which chats visitors are asked: of the bot alone (`after_bot`), or in which a person has the last word (`after_team`). */
export const SURVEY_OCCASIONS = ['always', 'after_team', 'after_bot', 'never'] as const;
export type SurveyOccasion = (typeof SURVEY_OCCASIONS)[number];

/** How a rating of 1 to 5 is drawn. */
export const SURVEY_SCALES = ['stars', 'faces'] as const;
export type SurveyScale = (typeof SURVEY_SCALES)[number];

export const SURVEY_QUESTION_MAX = 200;
export const SURVEY_THANKS_MAX = 300;

/** The survey after a chat. An empty text: the widget's own words, in the visitor's language. */
export const survey = z.strictObject({
  ask: z.enum(SURVEY_OCCASIONS),
  scale: z.enum(SURVEY_SCALES),
  question: text(0, SURVEY_QUESTION_MAX),
  thanks: text(0, SURVEY_THANKS_MAX),
});
export type Survey = z.infer<typeof survey>;
