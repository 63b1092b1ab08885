const NOT_KNOWN =
  "I don't know that one, and I'd rather not guess. You can ask it another way, or talk to a person.";
const STILL_NOT_KNOWN = "I couldn't find an answer to that either, so I'm asking a person to take over.";

/** Above the titles of articles, which the widget shows as choices. */
export const ASKS_WHICH = "I'm not sure that I understood. Is it one of these?";

/** What the bot says when it doesn't know; the last time it calls a person as well. */
export const notKnown = (callsPerson: boolean): string => (callsPerson ? STILL_NOT_KNOWN : NOT_KNOWN);

/** Whether a bot's message says that it didn't know. */
export const saysNotKnown = (text: string): boolean => text === NOT_KNOWN || text === STILL_NOT_KNOWN;
