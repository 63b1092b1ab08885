import type {
  Message,
  PreChatQuestion,
  PreviewMessage,
  SiteSettings as Site,
  Starter,
  VisitorSession,
} from '@foyer/protocol';
import { t } from './t.ts';

const SESSION_ID = 'ses_preview0000000000000000';

/** A short chat that shows both sides. */
const SAID = [
  { sender: 'visitor', words: 'said_visitor' },
  { sender: 'bot', words: 'said_bot' },
  { sender: 'visitor', words: 'said_thanks' },
] as const;

const messagesAt = (utc: string): Message[] =>
  SAID.map(({ sender, words }, at) => ({
    id: at + 1,
    seq: at + 1,
    client_id: `preview ${at}`,
    sender,
    author: null,
    text: t(words),
    attachments: [],
    sources: [],
    event: null,
    created_utc: utc,
  }));

type Ending = Pick<VisitorSession, 'status' | 'agent' | 'rating'>;

const GOING_ON: Ending = { status: 'bot', agent: null, rating: null };

const sessionAt = (utc: string, { status, agent, rating }: Ending): VisitorSession => ({
  session_id: SESSION_ID,
  status,
  agent,
  last_seq: SAID.length,
  visitor_read_seq: SAID.length,
  agent_read_seq: 0,
  waiting_since_utc: null,
  rating_requested: false,
  contact_email: null,
  rating,
  last_message: { sender: 'visitor', text: t(SAID[2].words), created_utc: utc },
  started_utc: utc,
  ended_utc: null,
});

interface Shown {
  place: PreviewMessage['place'];
  ending?: Ending;
  starters?: readonly Starter[];
  /** The form before the chat. */
  questions?: PreChatQuestion[];
  /** Nobody has written yet. */
  isNew?: boolean;
}

/** The preview's data: the settings of the form, saved or not. */
export function previewMessage(
  site: Site,
  { place, ending = GOING_ON, starters = [], questions = [], isNew = place === 'first' }: Shown,
): PreviewMessage {
  const now = new Date().toISOString();
  const { color, position, theme, launcher_text, logo_url, greeting, sound, language, languages } = site;
  return {
    foyer: 1,
    type: 'preview',
    language,
    place,
    session_id: SESSION_ID,
    frames: [
      {
        type: 'welcome',
        token: 'preview',
        visitor: { key: 'anon_preview', name: null, email: null, verified: false },
        site: {
          name: site.name,
          look: { color, position, theme, launcher_text, logo_url },
          greeting,
          sound,
          language,
          languages,
          email_offer_after_s: site.email_offer_after_s,
          typing_preview: site.typing_preview,
          reply_time_s: 240,
          has_articles: true,
          starters: [...starters],
          survey: site.survey,
          uploads: { max_bytes: 0, max_files: 0, kinds: [] },
        },
        pre_chat: place === 'first' ? questions : [],
        sessions: isNew ? [] : [sessionAt(now, ending)],
        agents_online: true,
        team: [],
        open: true,
        next_opening_utc: null,
        hours: null,
        mails: false,
      },
      ...(isNew
        ? []
        : messagesAt(now).map((message) => ({
            type: 'message' as const,
            session_id: SESSION_ID,
            message,
          }))),
    ],
  };
}
