import type { Article } from '@foyer/protocol';
import { ARTICLE_TITLE_MAX } from '@foyer/protocol/values/bounds';
import { AppError } from '../../base/errors.ts';
import { summaryMessages } from '../../conversations/handoffs.ts';
import { getSession } from '../../conversations/sessions.ts';
import type { SiteContext } from '../../core/context.ts';
import { withoutCourtesy } from '../../intents/courtesy.ts';
import { asksForPerson, smallTalkReply } from '../../intents/intents.ts';
import { createArticle } from '../../knowledge/articles/articles.ts';
import { maskPersonal } from '../../text/mask-personal.ts';
import { draftWithModel, takeUse } from './copilot-model.ts';

/** A shorter message, such as a greeting that no classifier knows, isn't the question if a longer one follows. */
const QUESTION_CHARS = 16;

interface Said {
  readonly sender: string;
  readonly text: string;
}

const isSmallTalk = ({ text }: Said): boolean => smallTalkReply(text) !== null;

/** What the visitor asked first; small talk or a request for a person only if there is nothing else. */
function questionOf(said: readonly Said[]): string | undefined {
  const asked = said.filter(({ sender, text }) => sender === 'visitor' && text.trim() !== '');
  const questions = asked
    .filter((one) => !isSmallTalk(one) && !asksForPerson(one.text))
    .map(({ text }) => withoutCourtesy(text).replace(/\s+/g, ' ').trim())
    .filter((question) => question !== '');
  return questions.find(({ length }) => length >= QUESTION_CHARS) ?? questions[0] ?? asked[0]?.text.trim();
}

/** What the agents said, without small talk. */
const answersOf = (said: readonly Said[]): string =>
  said
    .filter((one) => one.sender === 'agent' && !isSmallTalk(one))
    .map(({ text }) => text.trim())
    .join('\n\n')
    .trim();

/**
 * Creates a draft article from a chat: the model's, or else the visitor's question with the agents' answers; the question
 * alone if nobody has answered. Personal data is masked before the model reads it. Only the team sees a draft.
 * @throws AppError 404; 409 without a question, or if an article has the same title
 */
export async function draftArticle(ctx: SiteContext, sessionId: string): Promise<Article> {
  const session = await getSession(ctx, sessionId);
  const messages = await summaryMessages(ctx, session);
  const names = [session.visitor_name, ...messages.map((message) => message.author_name)].filter(
    (name) => name !== null,
  );
  const said = messages
    .filter(({ sender }) => sender === 'visitor' || sender === 'agent')
    .map(({ sender, text }) => ({ sender, text: maskPersonal(text, names) }));
  const question = questionOf(said);
  if (question === undefined)
    throw new AppError('conflict', 'The visitor hasn’t asked anything in this chat.', {
      reason: 'chat_without_question',
    });
  const answers = answersOf(said);
  const mayAsk =
    answers !== '' && (await ctx.services.languageModels.of(ctx)) !== undefined && (await takeUse(ctx));
  const written = mayAsk ? await draftWithModel(ctx, said) : undefined;
  const { title, body } = written ?? { title: question, body: answers };
  return createArticle(ctx, {
    title: maskPersonal(title, names).slice(0, ARTICLE_TITLE_MAX).toWellFormed().trim(),
    body: maskPersonal(body, names),
    status: 'Draft',
  });
}
