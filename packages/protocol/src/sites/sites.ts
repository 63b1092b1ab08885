import { z } from 'zod';
import { preChat } from '../chat/pre-chat.ts';
import { survey } from '../chat/survey.ts';
import { uploadKind } from '../chat/uploads.ts';
import {
  GREETING_MAX,
  LAUNCHER_TEXT_MAX,
  MESSAGE_FILES_MAX,
  NAME_MAX,
  PICTURE_MAX_BYTES,
  PUBLIC_URL_MAX,
  SIGNATURE_MAX,
  SKILLS_MAX,
  TICKET_LIMIT_MAX,
  TOKEN_ADDRESSES_MAX,
  UPLOAD_MAX_BYTES,
} from '../values/bounds.ts';
import { DESK_LANGUAGES, LANGUAGES } from '../values/languages.ts';
import { SIGNATURE_PLACEHOLDERS } from '../values/macro-text.ts';
import { PERMISSIONS } from '../values/sign-in/permissions.ts';
import { parseScopes, type TokenScope } from '../values/tokens/token-scopes.ts';
import { CHALLENGES, PLANS, ROUTINGS } from '../values/wire-names.ts';
import {
  addressRange,
  color,
  deleted,
  done,
  email,
  id,
  knowsPlaceholders,
  pictureUrl,
  text,
  time,
  utc,
} from '../values.ts';
import { officeHours, timeZone } from './office-hours.ts';
import { redaction } from './redaction.ts';

export const ROLES = ['admin', 'agent'] as const;
export const role = z.enum(ROLES);
export type Role = z.infer<typeof role>;

/** The presence that an agent with an open desk has chosen. `invisible`: works, but nobody sees it. */
export const PRESENCES = ['online', 'away', 'invisible'] as const;
export const chosenPresence = z.enum(PRESENCES);
export type ChosenPresence = z.infer<typeof chosenPresence>;

const routing = z.enum(ROUTINGS);

/** `read`, `write`, or one of a resource such as `tickets:write`. */
const tokenScope = z.union([
  z.enum(['read', 'write']),
  z.string().regex(/^[a-z_]+:(?:read|write)$/),
]) as z.ZodType<TokenScope, string>;

/** `https://shop.example` or `http://localhost:8080`: scheme, host and port, nothing more. */
export const origin = text(1, 200)
  .refine(
    (value) => {
      try {
        const parsed = new URL(value);
        return /^https?:$/.test(parsed.protocol) && parsed.origin === value.toLowerCase().replace(/\/$/, '');
      } catch {
        return false;
      }
    },
    {
      error: 'must be an origin such as https://shop.example',
      params: { reason: 'origin' },
    },
  )
  .transform((value) => value.toLowerCase().replace(/\/$/, ''));

export const POSITIONS = ['left', 'right'] as const;
export const THEMES = ['light', 'dark', 'auto'] as const;

/** Null removes the picture. */
const newPicture = z.strictObject({
  content: z
    .base64()
    .max(Math.ceil(PICTURE_MAX_BYTES / 3) * 4, `must be at most ${PICTURE_MAX_BYTES / 1024 / 1024} MB`)
    .nullable()
    .describe('Base64'),
});

const position = z.enum(POSITIONS);
const theme = z.enum(THEMES);
const challenges = z.enum(CHALLENGES);
const language = z.enum(LANGUAGES);

export const siteSettings = z.object({
  id,
  name: z.string(),
  plan: z.enum(PLANS),
  public_key: z.string(),
  color: z.string(),
  /** The corner of the page for the widget. */
  position,
  theme,
  /** Beside the launcher's icon; empty for a round button. */
  launcher_text: z.string(),
  logo_url: pictureUrl,
  /** The widget's language for visitors whose languages aren't among `languages`. */
  language,
  /** Empty: all of the widget's. */
  languages: z.array(language),
  /** Empty: the widget's own, in the visitor's language. */
  greeting: z.string(),
  pre_chat: preChat,
  survey,
  allowed_origins: z.array(z.string()),
  /** How long a visitor waits for a person before being offered to leave an email address. */
  email_offer_after_s: z.int(),
  sound: z.boolean(),
  /** Whether agents see what a visitor is typing. */
  typing_preview: z.boolean(),
  /** Wait for consent: store and send nothing about a visitor before the page calls `boot` or a chat is opened. */
  consent: z.boolean(),
  /** Pages report their visitors, even before the chat is opened. */
  live_visitors: z.boolean(),
  /** When visitors' browsers solve a challenge before they create a record or a chat. `auto`: under load. */
  challenges,
  redaction,
  /** Markdown below the emailed replies of agents without a signature of their own. */
  signature: z.string(),
  /** The time zone of report days without office hours, which have their own. */
  time_zone: z.string(),
  /** Null: none, so the site counts as open. */
  office_hours: officeHours.nullable(),
  /** How waiting chats get an agent. */
  routing,
  /** How tickets without an assignee get one. */
  ticket_routing: routing,
  /** How many minutes a visitor is away before unread replies are emailed; null: they aren't. */
  email_replies_after_min: z.int().nullable(),
  /** The mailbox that they are sent from; null: the site's only one. */
  chat_mailbox_id: id.nullable(),
  /** How long an agent may be away before those of their chats that wait for an answer return to the queue. */
  return_chats_after_s: z.int(),
  /** When routing offers a chat that nobody of its team or with its language or tags could take to everybody; null: never. */
  team_fallback_after_s: z.int().nullable(),
  /** The same for a ticket that has no assignee. */
  ticket_fallback_after_s: z.int().nullable(),
  /** Routing first tries the agent who had the visitor's last chat, or the customer's last ticket. */
  last_agent_first: z.boolean(),
  /** What visitors may upload in chats; without kinds, nothing. For the team, only size and number are limited. */
  upload_max_bytes: z.int(),
  upload_max_files: z.int(),
  upload_kinds: z.array(uploadKind),
  /** Agents need a code besides their password. Those without one can only set it up. */
  two_factor_required: z.boolean(),
  /** Agents have to sign in again after this long without use, and after this long in any case; null: they needn't. */
  session_idle_hours: z.int().nullable(),
  session_max_days: z.int().nullable(),
  created_utc: utc,
});
export type SiteSettings = z.infer<typeof siteSettings>;

export const agent = z.object({
  id,
  name: z.string(),
  email: z.string(),
  role,
  /** What an `agent` may do, if that differs from the role of that name. */
  custom_role: z.object({ id, name: z.string() }).nullable(),
  /** May write to visitors and customers, and so be assigned chats and tickets. */
  can_answer: z.boolean(),
  online: z.boolean(),
  /** Routing assigns this agent more chats up to this many active ones. */
  chat_limit: z.int(),
  /** The same for tickets: new and open ones. */
  ticket_limit: z.int(),
  /** What they speak and know. Routing prefers them for chats in these languages and with these tags. */
  languages: z.array(language),
  skills: z.array(z.object({ id, name: z.string() })),
  picture_url: pictureUrl,
  /** Signs in with a code besides the password. */
  two_factor: z.boolean(),
  /** How many passkeys the agent can sign in with. */
  passkeys: z.int(),
  created_utc: utc,
});
export type Agent = z.infer<typeof agent>;

export const invitation = z.object({
  id,
  email: z.string(),
  role,
  state: z.enum(['open', 'expired', 'accepted']),
  /** What became of the email with the link; `none`: only the admin has it. */
  mail: z.enum(['none', 'queued', 'sent', 'failed']),
  expires_utc: utc,
  accepted_utc: utc.nullable(),
});
export type Invitation = z.infer<typeof invitation>;

export const apiToken = z.object({
  id,
  name: z.string(),
  /** `browser`: public, because it is part of a page; may only write visitors and events. */
  kind: z.enum(['api', 'browser']),
  /** For a browser token: the pages that may use it; empty means any. */
  allowed_origins: z.array(z.string()),
  /** Resources such as `tickets:write`, or `read` and `write`, which mean all. */
  scopes: z.array(tokenScope),
  /** Addresses and ranges from which it works; empty: any. */
  allowed_addresses: z.array(z.string()),
  /** Null: it doesn't expire. */
  expires_utc: utc.nullable(),
  hint: z.string(),
  request_count: z.int(),
  last_used_utc: utc.nullable(),
  /** Null for browser tokens, whose addresses are those of visitors. */
  last_used_address: z.string().nullable(),
  created_utc: utc,
  revoked_utc: utc.nullable(),
  /** Requests per day, newest first, at most 30 days. */
  daily: z.array(z.object({ day: z.string(), requests: z.int() })),
});
export type ApiToken = z.infer<typeof apiToken>;
const withRaw = apiToken.extend({ token: z.string() });

export const usage = z.object({
  plan: z.enum(PLANS),
  cycle_start_utc: utc,
  cycle_end_utc: utc,
  ai_replies: z.int().describe('Messages written by the bot'),
  bot_tokens: z.int().describe('Sum of the next two'),
  bot_tokens_input: z.int(),
  bot_tokens_output: z.int(),
  agents: z.int(),
  agent_limit: z.int().nullable().describe('Null for no limit'),
});

/** Browsers send only a few tags such as `de-AT`. */
export const LANGUAGE_TAGS_MAX = 20;
export const LANGUAGE_TAG_MAX = 35;

const deskLanguage = z.enum(DESK_LANGUAGES);
const signature = text(0, SIGNATURE_MAX).superRefine(knowsPlaceholders(SIGNATURE_PLACEHOLDERS));

export const me = z.object({
  agent,
  /** Everything that the agent may do besides reading and writing notes. */
  permissions: z.array(z.enum(PERMISSIONS)),
  presence: chosenPresence,
  /** The desk's language for this agent; null: the browser's preferred one. */
  language: deskLanguage.nullable(),
  /** Markdown below this agent's emailed replies; empty: the site's. */
  signature: z.string(),
  site: siteSettings,
  base_url: z.string(),
  /** All sites of this person. The desk shows one at a time. */
  sites: z.array(z.object({ id, name: z.string() })),
  /** They must set up two-factor sign-in before anything else. */
  must_enrol: z.boolean(),
});
export type Me = z.infer<typeof me>;

/** `variable`: FOYER_BASE_URL; `operator`: the installation has several sites; `admin`: `public_address.set`. */
const publicAddress = z.object({ url: z.string(), set_by: z.enum(['variable', 'operator', 'admin']) });

const SCOPES_MAX = 2_000;
const scopes = text(1, SCOPES_MAX).refine((value) => parseScopes(value) !== undefined, {
  error: 'must be read, read,write, or resources such as tickets:write,visitors:read',
  params: { reason: 'scopes' },
});
const allowedAddresses = z.array(addressRange).max(TOKEN_ADDRESSES_MAX);
const origins = z.array(origin).max(50);

/** The secret that proves visitors' identities (`userHash`); null if the site has none. */
export const identitySecret = z
  .object({
    /** The last four characters. */
    hint: z.string(),
    created_utc: utc,
    /** The previous secret is valid until then. */
    previous_until_utc: utc.nullable(),
  })
  .nullable();
export type IdentitySecret = z.infer<typeof identitySecret>;

/** A session, as its owner sees it. */
export interface SignedInDevice {
  id: string;
  /** Whether it is the calling session. */
  current: boolean;
  user_agent: string;
  /** The address of its last use. */
  address: string;
  created_utc: string;
  last_used_utc: string;
}

/** A passkey of an account, as its owner sees it. */
export interface SignInPasskey {
  id: string;
  name: string;
  created_utc: string;
  /** Null: it has signed nobody in yet. */
  last_used_utc: string | null;
}

export const siteContract = {
  'whoami.get': {
    input: z.strictObject({}),
    output: z.object({
      site_id: id,
      scopes: z.array(tokenScope),
      request_count: z.int(),
      expires_utc: utc.nullable(),
      allowed_addresses: z.array(z.string()),
    }),
  },
  'usage.get': { input: z.strictObject({}), output: usage },
  'me.get': { input: z.strictObject({}), output: me },
  'public_address.get': { input: z.strictObject({}), output: publicAddress },
  'public_address.set': {
    input: z.strictObject({ url: text(1, PUBLIC_URL_MAX) }),
    output: publicAddress,
  },
  'me.set_presence': { input: z.strictObject({ presence: chosenPresence }), output: done },
  'me.set_picture': { input: newPicture, output: agent },
  'site.set_logo': { input: newPicture, output: siteSettings },
  'me.set_signature': { input: z.strictObject({ signature }), output: done },
  'me.set_language': { input: z.strictObject({ language: deskLanguage.nullable() }), output: done },
  'site.update': {
    input: z.strictObject({
      name: text(1, NAME_MAX).optional(),
      color: color.optional(),
      position: position.optional(),
      theme: theme.optional(),
      launcher_text: text(0, LAUNCHER_TEXT_MAX).optional(),
      language: language.optional(),
      languages: z.array(language).max(LANGUAGES.length).optional(),
      greeting: text(0, GREETING_MAX).optional(),
      pre_chat: preChat.optional(),
      survey: survey.optional(),
      allowed_origins: origins.optional(),
      email_offer_after_s: z.int().min(0).max(3600).optional(),
      sound: z.boolean().optional(),
      typing_preview: z.boolean().optional(),
      consent: z.boolean().optional(),
      signature: signature.optional(),
      live_visitors: z.boolean().optional(),
      challenges: challenges.optional(),
      redaction: redaction.optional(),
      time_zone: timeZone.optional(),
      office_hours: officeHours.nullable().optional(),
      routing: routing.optional(),
      ticket_routing: routing.optional(),
      email_replies_after_min: z.int().min(1).max(1440).nullable().optional(),
      chat_mailbox_id: id.nullable().optional(),
      return_chats_after_s: z.int().min(60).max(86_400).optional(),
      team_fallback_after_s: z.int().min(60).max(86_400).nullable().optional(),
      ticket_fallback_after_s: z.int().min(60).max(2_592_000).nullable().optional(),
      last_agent_first: z.boolean().optional(),
      upload_max_bytes: z.int().min(1024).max(UPLOAD_MAX_BYTES).optional(),
      upload_max_files: z.int().min(1).max(MESSAGE_FILES_MAX).optional(),
      upload_kinds: z.array(uploadKind).max(4).optional(),
      two_factor_required: z.boolean().optional(),
      session_idle_hours: z.int().min(1).max(720).nullable().optional(),
      session_max_days: z.int().min(1).max(365).nullable().optional(),
    }),
    output: siteSettings,
  },
  'sites.create': {
    /** `time_zone` and `languages` come from the browser; the most preferred language wins. */
    input: z.strictObject({
      name: text(1, NAME_MAX),
      time_zone: timeZone.optional(),
      languages: z.array(text(1, LANGUAGE_TAG_MAX)).max(LANGUAGE_TAGS_MAX).default([]),
    }),
    output: z.object({ id, name: z.string() }),
  },
  'site.set_plan': { input: z.strictObject({ plan: z.enum(PLANS) }), output: siteSettings },
  'agents.list': {
    input: z.strictObject({}),
    output: z.object({
      agents: z.array(agent),
      /** Open and expired ones. */
      invitations: z.array(invitation),
      /** Those of the last seven days. */
      accepted_invitations: z.array(invitation),
      agent_limit: z.int().nullable(),
    }),
  },
  'agents.invite': {
    input: z.strictObject({ email, role: role.default('agent') }),
    /** The link is shown once, to be passed on. Without email, nobody else sends it. */
    output: z.object({ invitation, url: z.string() }),
  },
  'agents.revoke_invitation': { input: z.strictObject({ id }), output: deleted },
  'agents.set_role': {
    /** Without a custom role, an agent has the rights of the role `agent`. An admin has none. */
    input: z.strictObject({ id, role, custom_role_id: id.nullable().default(null) }),
    output: agent,
  },
  'agents.set_chat_limit': {
    input: z.strictObject({ id, chat_limit: z.int().min(1).max(100) }),
    output: agent,
  },
  'agents.set_ticket_limit': {
    input: z.strictObject({ id, ticket_limit: z.int().min(1).max(TICKET_LIMIT_MAX) }),
    output: agent,
  },
  'agents.set_skills': {
    input: z.strictObject({
      id,
      languages: z.array(language).max(LANGUAGES.length),
      tag_ids: z.array(id).max(SKILLS_MAX),
    }),
    output: agent,
  },
  'agents.sign_out': { input: z.strictObject({ id }), output: agent },
  'agents.reset_two_factor': { input: z.strictObject({ id }), output: agent },
  'agents.remove_picture': { input: z.strictObject({ id }), output: agent },
  'agents.remove': { input: z.strictObject({ id }), output: deleted },
  'api_tokens.list': { input: z.strictObject({}), output: z.array(apiToken) },
  'api_tokens.create': {
    input: z.strictObject({
      name: text(1, NAME_MAX),
      scopes,
      expires_utc: time.nullable().optional(),
      allowed_addresses: allowedAddresses.optional(),
    }),
    output: withRaw,
  },
  /** Immediately, in every process. The secret stays. */
  'api_tokens.update': {
    input: z.strictObject({
      id,
      name: text(1, NAME_MAX).optional(),
      scopes: scopes.optional(),
      expires_utc: time.nullable().optional(),
      allowed_addresses: allowedAddresses.optional(),
    }),
    output: apiToken,
  },
  'api_tokens.revoke': { input: z.strictObject({ id }), output: apiToken },
  'api_tokens.rotate': { input: z.strictObject({ id }), output: withRaw },
  'browser_tokens.create': {
    input: z.strictObject({
      name: text(1, NAME_MAX),
      allowed_origins: origins.default([]),
      expires_utc: time.nullable().optional(),
    }),
    output: withRaw,
  },
  'browser_tokens.update': {
    input: z.strictObject({
      id,
      allowed_origins: origins.optional(),
      expires_utc: time.nullable().optional(),
    }),
    output: apiToken,
  },
  'identity_secret.get': { input: z.strictObject({}), output: identitySecret },
  'identity_secret.rotate': {
    input: z.strictObject({}),
    output: identitySecret.unwrap().extend({ secret: z.string() }),
  },
  'identity_secret.remove': { input: z.strictObject({}), output: z.null() },
} as const;
