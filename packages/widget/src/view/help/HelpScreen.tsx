import type { HelpHit, OutputOf } from '@foyer/protocol';
import { SEARCH_MAX } from '@foyer/protocol/values/bounds';
import { useEffect, useRef, useState } from 'preact/hooks';
import { say } from '../../strings.ts';
import { PersonButton } from '../conversation/PersonButton.tsx';
import { useAnswer } from '../conversation/use-answer.ts';
import { useShared } from '../conversation/use-chat.ts';
import { Title, TopBar } from '../home/TopBar.tsx';
import { CLOSE, FORWARD, Icon, SEARCH } from '../Icons.tsx';
import { LineNotice } from '../LineNotice.tsx';
import { Failed, Waiting } from './Outcome.tsx';

const SEARCH_AFTER_MS = 250;

const found = new Map<string, HelpHit[]>();
const homes = new Map<string, OutputOf<'help.home'>>();

/** Published articles: search results, or all by category. */
export const HelpScreen = ({ query }: { query: string }) => {
  const { chat } = useShared();
  const [text, setText] = useState(query);
  const field = useRef<HTMLInputElement>(null);

  useEffect(() => {
    const wanted = text.trim();
    if (wanted === query) return;
    const timer = setTimeout(() => chat.show({ name: 'help', query: wanted }, true), SEARCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text, query]);

  const submit = (event: Event) => {
    event.preventDefault();
    chat.show({ name: 'help', query: text.trim() }, true);
  };
  const clear = () => {
    setText('');
    field.current?.focus();
  };
  return (
    <div class="conversation">
      <TopBar>
        <Title text={say('help_title')} />
      </TopBar>
      <LineNotice />
      <search>
        <form class="help-search" onSubmit={submit}>
          <Icon path={SEARCH} size={18} />
          <input
            ref={field}
            type="text"
            inputMode="search"
            enterkeyhint="search"
            autocomplete="off"
            dir="auto"
            data-key="search"
            data-first
            maxLength={SEARCH_MAX}
            aria-label={say('help_search')}
            placeholder={say('help_search')}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          {text !== '' && (
            <button type="button" class="icon-button" aria-label={say('help_clear')} onClick={clear}>
              <Icon path={CLOSE} size={16} />
            </button>
          )}
        </form>
      </search>
      <div class="reading" data-scroll>
        {query === '' ? <Everything /> : <Results query={query} />}
      </div>
      <div class="foot foot-line">
        <PersonButton />
      </div>
    </div>
  );
};

const Results = ({ query }: { query: string }) => {
  const { chat } = useShared();
  const { data, failed, retry } = useAnswer(found, query, async () => {
    const { hits } = await chat.call('help.search', { q: query });
    return hits;
  });
  if (failed) return <Failed retry={retry} />;
  return (
    <>
      <p class={data?.length === 0 ? 'help-none' : 'unseen'} role="status">
        {data && (data.length > 0 ? say('help_found', { count: data.length }) : say('help_none', { query }))}
      </p>
      {!data && <Waiting />}
      {data?.length === 0 && <p class="help-hint">{say('help_none_hint')}</p>}
      <ul class="rows">
        {data?.map(({ slug, title, excerpt }) => (
          <li key={slug}>
            <ArticleRow slug={slug} title={title} excerpt={excerpt} />
          </li>
        ))}
      </ul>
    </>
  );
};

const Everything = () => {
  const { chat } = useShared();
  const { data, failed, retry } = useAnswer(homes, '', () => chat.call('help.home', {}));
  if (failed) return <Failed retry={retry} />;
  if (!data) return <Waiting />;
  return (
    <>
      {data.categories.map(({ category, articles }) => (
        <section key={category?.slug} aria-label={category?.name ?? say('help_others')}>
          <h2 class="help-category" dir="auto">
            {category?.name ?? say('help_others')}
          </h2>
          <ul class="rows">
            {articles.map(({ slug, title }) => (
              <li key={slug}>
                <ArticleRow slug={slug} title={title} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
};

const ArticleRow = ({ slug, title, excerpt }: { slug: string; title: string; excerpt?: string }) => {
  const { places } = useShared();
  return (
    <button type="button" class="row" data-key={slug} onClick={() => places.go({ name: 'article', slug })}>
      <span class="row-body">
        <span class="row-title" dir="auto">
          {title}
        </span>
        {excerpt && (
          <span class="row-excerpt" dir="auto">
            {excerpt}
          </span>
        )}
      </span>
      <Icon path={FORWARD} class="icon-mirrored" size={16} />
    </button>
  );
};
