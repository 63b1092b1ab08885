import type { HelpArticle } from '@foyer/protocol';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { PageWithTrustedTypes } from '../../trusted-types.ts';
import { useShared } from '../conversation/use-chat.ts';

const policy = (window as PageWithTrustedTypes).trustedTypes?.createPolicy('foyer-article', {
  createHTML: (html: string) => html,
});

/** In a document of its own, where nothing in it runs or is loaded. */
const parseApart = (html: string): Document =>
  new DOMParser().parseFromString(policy?.createHTML(html) ?? html, 'text/html');

/**
 * The text as in the help centre: the server generates its HTML like that of all articles. Its links never leave
 * the panel: other articles open within it, headings scroll, everything else opens in a new tab.
 */
export const ArticleText = ({ article: { html, path } }: { article: HelpArticle }) => {
  const { places } = useShared();
  const text = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const base = new URL(path, location.href);
    const parsed = parseApart(html);
    for (const link of parsed.querySelectorAll('a')) {
      const address = link.getAttribute('href') ?? '';
      // Following a fragment would add an entry to the history of the page around the panel.
      if (address.startsWith('#')) {
        onClick(link, () => headingOf(text.current, new URL(address, base).hash)?.scrollIntoView());
        continue;
      }
      const target = new URL(address, base);
      const slug = slugOf(target, base);
      if (slug !== null) onClick(link, () => places.go({ name: 'article', slug }));
      link.href = target.href;
      link.target = '_blank';
    }
    text.current?.replaceChildren(...parsed.body.childNodes);
  }, [html]);
  return <div class="article-text" dir="auto" ref={text} />;
};

/** Replaces a click's default action, unless a new tab is requested. */
const onClick = (link: HTMLAnchorElement, run: () => void) =>
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    run();
  });

const headingOf = (text: HTMLElement | null, hash: string): Element | undefined =>
  [...(text?.querySelectorAll('[id]') ?? [])].find(
    ({ id }) => new URL(`#${id}`, location.href).hash === hash,
  );

/** The slug if a link leads to an article of the same help centre. */
const slugOf = ({ origin, pathname }: URL, base: URL): string | null => {
  const folder = base.pathname.slice(0, base.pathname.lastIndexOf('/') + 1);
  if (origin !== base.origin || !pathname.startsWith(folder)) return null;
  const name = pathname.slice(folder.length);
  try {
    return name === '' || name.includes('/') ? null : decodeURIComponent(name);
  } catch {
    return null;
  }
};
