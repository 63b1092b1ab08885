/** The part of a visitor's message that the bot reads, in characters. */
export const MESSAGE_MAX_CHARS = 1_000;
