import type { Plan } from './wire-names.ts';

/**
 * Limits of the wire format, separate from the schemas that enforce them, so that a browser that only needs a
 * number doesn't load those. Lengths of texts are in characters.
 */

/** Records in one page of a list. */
export const PAGE_LIMIT_MAX = 200;
/** Length of a search query. */
export const SEARCH_MAX = 200;
export const INBOX_PAGE_MAX = 200;
/** The longest delay for closing a chat, in seconds. */
export const CLOSE_IN_MAX_S = 60;
/**
 * The delay during which an agent can undo closing: a few seconds longer than the desk offers it, for a late click.
 */
export const CLOSE_UNDO_S = 13;
/** Length of a URL, and of a page's own title. */
export const URL_MAX = 2_000;
/** Of the installation's address. */
export const PUBLIC_URL_MAX = 500;
export const EMAIL_MAX = 254;
export const PASSWORD_MIN = 10;
export const PASSWORD_MAX = 128;
/** Length of a typed two-factor code. */
export const SIGN_IN_CODE_MAX = 40;
/** Passkeys of an account. */
export const PASSKEYS_MAX = 20;
export const PASSKEY_NAME_MAX = 60;

/** Length of names that the team gives: to itself, its site, a view, a token, a holiday. */
export const NAME_MAX = 100;
/** Teams of one site, and the members of each. */
export const ROLES_MAX = 50;
export const ROLE_DESCRIPTION_MAX = 500;
export const TEAMS_MAX = 200;
export const TEAM_MEMBERS_MAX = 200;
/** How many open tickets routing may give an agent. */
export const TICKET_LIMIT_MAX = 500;
/** Tags of one agent's skills. */
export const SKILLS_MAX = 50;
/** Per site. */
export const SLA_POLICIES_MAX = 50;
/** A year. */
export const SLA_MINUTES_MAX = 525_600;
export const TEAM_DESCRIPTION_MAX = 500;
/** Length of an emoji, which may be joined of several. */
export const TEAM_EMOJI_MAX = 32;
/** Identity providers of one site, and of each the domains, and the groups that give a role. */
export const IDENTITY_PROVIDERS_MAX = 20;
export const PROVIDER_DOMAINS_MAX = 50;
export const GROUP_ROLES_MAX = 50;
export const GROUP_NAME_MAX = 200;
export const PROVIDER_SECRET_MAX = 500;
/** Length of a visitor's key: the site's own id, or one created by a browser. */
export const VISITOR_KEY_MAX = 200;
/** Length of a visitor's name. */
export const VISITOR_NAME_MAX = 200;
export const TAG_NAME_MAX = 50;
export const ATTRIBUTE_NAME_MAX = 100;
/** Length of a value that an attribute is compared with. */
export const ATTRIBUTE_SOUGHT_MAX = 500;
export const EVENT_NAME_MAX = 100;
/** Size of an attribute's value, as JSON. */
export const ATTRIBUTE_BYTES = 2_048;
/** Size of an event's properties, as JSON. */
export const PROPERTIES_BYTES = 8_192;

export const MESSAGE_MAX = 4_000;
/** Files per message. A site may allow fewer (`upload_max_files`). */
export const MESSAGE_FILES_MAX = 10;
/** Size of a file in a chat. A site may allow less (`upload_max_bytes`). */
export const UPLOAD_MAX_BYTES = 25 * 1024 * 1024;
/** A guest's token contains the longest key, at three bytes per character, in base64url. */
export const VISITOR_TOKEN_MAX = 1_000;
/** How many characters of a visitor's unsent text agents see: the last ones. */
export const TYPING_PREVIEW_MAX = 500;
export const FEEDBACK_COMMENT_MAX = 2_000;

export const SUBJECT_MAX = 200;
/** Length of a ticket's text and of each reply. */
export const TICKET_TEXT_MAX = 50_000;
/** How many tickets can be merged into one at once. */
export const MERGE_MAX = 20;
/** How many chats and tickets one bulk change may include. For more, its filter must be narrower. */
export const BULK_CHANGE_MAX = 100_000;
export const MACRO_ACTIONS_MAX = 20;
/** The maximum number of private macros per agent. */
export const PRIVATE_MACROS_MAX = 200;
/** Of a mail that a macro or rule sends. */
export const ACTION_SUBJECT_MAX = 200;

export const VISITOR_NOTE_MAX = 4_000;
/** A visitor's chats and tickets are counted up to this. */
export const VISITOR_COUNT_MAX = 100;
/** The list of live visitors has this many, the newest. */
export const HERE_LISTED_MAX = 500;
/** Counting live visitors stops here. */
export const HERE_COUNT_MAX = 1_000;
/** How many attributes get a column in an export of visitors. */
export const VISITOR_COLUMNS_MAX = 50;

export const SEGMENT_DEPTH = 3;
export const SEGMENT_CONDITIONS_MAX = 50;
export const SEGMENT_COUNT_MAX = 1_000;
export const SEGMENT_DAYS_MAX = 3_650;

/** Conditions on chats and tickets. */
export const CONDITIONS_DEPTH = 3;
export const CONDITIONS_MAX = 50;
export const CONDITION_WORDS_MAX = 100;

/** How many rules a site can have. */
export const SITE_RULES_MAX = 200;
export const RULE_ACTIONS_MAX = 20;
/** For how long a trigger may wait: 90 days. */
export const RULE_MINUTES_MAX = 129_600;
/** On one chat or ticket, a rule runs at most so often within an hour. */
export const RULE_RUNS_PER_HOUR_MAX = 30;
/** A rule that fails so often in a row is switched off. */
export const RULE_FAILURES_MAX = 10;
/** A rule is tried on this many records, the newest. */
export const RULE_TRIED_MAX = 500;

export const ARTICLE_TITLE_MAX = 300;
export const ARTICLE_CATEGORY_MAX = 100;
/** Length of a requested slug. A number may be appended. */
export const ARTICLE_SLUG_MAX = 80;
export const ARTICLE_IMAGE_MAX_BYTES = 8 * 1024 * 1024;
/** How long a deleted article can be restored. */
export const DELETED_ARTICLES_KEPT_DAYS = 30;
/** How many articles one call restores. */
export const ARTICLE_RESTORE_MAX = 200;
export const IMPORT_MAX_BYTES = 5 * 1024 * 1024;
export const TRAINING_QUESTION_MAX = 1_000;
export const TRAINING_ANSWER_MAX = 20_000;
/** A PDF or Word file that the bot reads. */
export const KNOWLEDGE_FILE_MAX_BYTES = 20 * 1024 * 1024;
export const KNOWLEDGE_SOURCES_MAX = 100;
/** Pages of one sitemap, and documents of a site. */
export const SITEMAP_PAGES_MAX = 500;
export const KNOWLEDGE_DOCUMENTS_MAX = 2_000;
/** Characters of all documents of a site: their index takes about ten times as many bytes of memory. */
export const KNOWLEDGE_CHARS_MAX = 10_000_000;
/** As much as most browsers and servers take. */
export const SOURCE_URL_MAX = 2_000;
/** The maximum number per site: they are buttons above an empty chat. */
export const STARTER_LIMIT = 20;
export const STARTER_LABEL_MAX = 60;
export const STARTER_PROMPT_MAX = 500;
export const SYNONYM_GROUPS_MAX = 200;
export const SYNONYMS_IN_GROUP_MAX = 20;
export const HELP_TITLE_MAX = 80;
export const HELP_INTRO_MAX = 300;

export const BOT_NAME_MAX = 60;
export const BOT_TONE_MAX = 300;
export const BOT_RULES_MAX = 2_000;
/** Answers of a language model per chat, and per visitor in 24 hours. */
export const MODEL_ANSWERS_PER_CHAT_MAX = 1_000;
export const MODEL_ANSWERS_PER_DAY_MAX = 10_000;
/** The provider's name of a language model, and a key of it. */
export const MODEL_NAME_MAX = 200;
export const MODEL_KEY_MAX = 500;
export const HANDOFF_RULE_NAME_MAX = 80;
/** A site has no more actions: each is compared with each message to the bot. */
export const ACTIONS_MAX = 50;
export const ACTION_NAME_MAX = 80;
/** It is a button. */
export const ACTION_LABEL_MAX = 60;
export const ACTION_PURPOSE_MAX = 500;
export const ACTION_EXAMPLES_MAX = 20;
export const ACTION_STEPS_MAX = 40;
export const ACTION_TEXT_MAX = 1_000;
export const ACTION_HEADERS_MAX = 10;
export const ACTION_HEADER_VALUE_MAX = 1_000;
/** What a visitor enters, or a field of an answer. */
export const ACTION_VALUE_MAX = 500;
export const ACTION_TIMEOUT_MAX_S = 10;
/** Length of a question stored for evaluation (MESSAGE_MAX would be a letter). */
export const QUESTION_MAX = 500;
/** 2 MiB: a thousand questions take a tenth of that. */
export const QUESTION_FILE_MAX_BYTES = 2 * 1024 * 1024;

/** Length of a signature, in markdown. */
export const SIGNATURE_MAX = 1000;
/** Addresses and ranges that one API token may be limited to. */
export const TOKEN_ADDRESSES_MAX = 50;

/** Size of an uploaded logo or profile picture, before the server encodes it again. */
export const PICTURE_MAX_BYTES = 8 * 1024 * 1024;
export const LAUNCHER_TEXT_MAX = 24;
export const GREETING_MAX = 300;
export const PRE_CHAT_FIELDS_MAX = 8;
export const PRE_CHAT_LABEL_MAX = 100;
export const PRE_CHAT_ANSWER_MAX = 500;
export const CONSENT_WORDING_MAX = 500;
/** How many consents of a visitor a profile shows, the newest first. */
export const PROFILE_CONSENTS_MAX = 20;
export const SURVEY_QUESTION_MAX = 200;
export const SURVEY_THANKS_MAX = 300;
/** Intervals per weekday. */
export const OFFICE_INTERVALS_MAX = 6;
export const OFFICE_HOLIDAYS_MAX = 200;
export const WEBHOOK_DESCRIPTION_MAX = 500;
export const WEBHOOK_LOG_MAX_DAYS = 365;
/** A file is uploaded in parts of this size, the last one smaller: `PUT /app/imports/ID/parts/NUMBER`, from 1. */
export const IMPORT_PART_BYTES = 4 * 1024 * 1024;
/** A CSV is read as a whole. */
export const CSV_MAX_BYTES = 20 * 1024 * 1024;
export const CSV_ROWS_MAX = 100_000;
export const CSV_CELLS_MAX = 50;

/** REST requests per minute and token, and agents; null means unlimited. */
export const PLAN_LIMITS: Record<Plan, { requestsPerMinute: number; agents: number | null }> = {
  free: { requestsPerMinute: 60, agents: 1 },
  starter: { requestsPerMinute: 200, agents: 5 },
  growth: { requestsPerMinute: 600, agents: null },
};

/** How many suspended mails one call decides. */
export const DECISIONS_MAX = 100;
/** The count of suspended mails ends here. */
export const SUSPENDED_COUNTED_MAX = 100;

/** Of a site, of all kinds together. */
export const BLOCKS_MAX = 5_000;
export const BLOCK_VALUE_MAX = 254;
export const BLOCK_NOTE_MAX = 200;

/** A site's own patterns of what is redacted. */
export const REDACTION_PATTERNS_MAX = 20;
export const REDACTION_NAME_MAX = 40;
export const REDACTION_PATTERN_MAX = 60;

/** How long a site's own bot may take for its turn. */
export const OWN_BOT_TIMEOUT_MIN_S = 5;
export const OWN_BOT_TIMEOUT_MAX_S = 600;

/** Proactive messages of a site. */
export const PROACTIVE_MAX = 50;
/** Characters of one text, in markdown: what fits into a bubble. */
export const PROACTIVE_TEXT_MAX = 500;
export const PROACTIVE_PAGES_MAX = 20;
export const PROACTIVE_AFTER_MAX_S = 3_600;
export const PROACTIVE_VISITS_MAX = 100;
/** 30 days. */
export const PROACTIVE_QUIET_MAX_H = 720;
