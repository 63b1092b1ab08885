import type { HelpArticle } from '@foyer/protocol';
import { useEffect, useRef } from 'preact/hooks';
import { CallError } from '../../core/connection/calls.ts';
import { say } from '../../strings.ts';
import { date } from '../../time.ts';
import { PersonButton } from '../conversation/PersonButton.tsx';
import { useAnswer } from '../conversation/use-answer.ts';
import { useShared } from '../conversation/use-chat.ts';
import { Title, TopBar } from '../home/TopBar.tsx';
import { LineNotice } from '../LineNotice.tsx';
import { ArticleText } from './ArticleText.tsx';
import { Helpful } from './Helpful.tsx';
import { Failed, Waiting } from './Outcome.tsx';

/** Null: it doesn't exist, or no longer does. */
const read = new Map<string, HelpArticle | null>();

export const ArticleScreen = ({ slug }: { slug: string }) => {
  const { chat } = useShared();
  const { data, failed, retry } = useAnswer(read, slug, () =>
    chat.call('help.article', { slug }).catch((error: unknown) => {
      if (error instanceof CallError && error.code === 'not_found') return null;
      throw error;
    }),
  );
  return (
    <div class="conversation">
      <TopBar>
        <Title as="p" text={data?.category?.name ?? say('help_title')} />
      </TopBar>
      <LineNotice />
      <div class="reading" data-scroll>
        {failed ? <Failed retry={retry} /> : <Article article={data} />}
      </div>
      <div class="foot foot-line">
        <PersonButton />
      </div>
    </div>
  );
};

const Article = ({ article }: { article: HelpArticle | null | undefined }) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const isThere = article !== undefined;
  // Moves the focus to the title once it is loaded.
  useEffect(() => {
    if (isThere && document.activeElement?.matches('[data-focus]')) heading.current?.focus();
  }, [isThere]);
  if (article === undefined) return <Waiting />;
  if (article === null) return <p class="help-none">{say('help_gone')}</p>;
  return (
    <article class="article">
      <h1 ref={heading} tabIndex={-1} dir="auto">
        {article.title}
      </h1>
      <p class="article-date">{say('help_updated', { date: date(article.updated_utc) })}</p>
      <ArticleText article={article} />
      <Helpful id={article.id} slug={article.slug} />
    </article>
  );
};
