import { type Language, SEARCH_MAX } from '@foyer/protocol';
import { type Html, type HtmlPart, html } from '../../base/html.ts';
import { type Speech, speechOf } from '../../i18n/phrases.ts';
import { picturePath } from '../../sites/pictures.ts';

/** A site as its help centre shows it. */
export interface HelpSite {
  readonly id: number;
  readonly publicKey: string;
  readonly name: string;
  readonly color: string;
  readonly logo: string | null;
  readonly language: Language;
  readonly helpSlug: string | null;
  readonly helpTitle: string;
  readonly helpIntro: string;
  readonly helpEnabled: boolean;
  readonly helpIndexed: boolean;
}

/** What all pages of a site's help centre share. */
export interface Frame {
  readonly site: HelpSite;
  /** `https://chat.example/help/acme` */
  readonly address: string;
  /** `/help/acme` */
  readonly path: string;
  readonly stylesheet: string;
  readonly speech: Speech;
}

interface Link {
  readonly slug: string;
  readonly title: string;
}

interface Category {
  readonly name: string;
  readonly slug: string;
}

/** `baseUrl` must not end with a slash. The path has the site's chosen slug, else its public key. */
export function frameOf(site: HelpSite, baseUrl: string, stylesheet: string): Frame {
  const path = `/help/${site.helpSlug ?? site.publicKey}`;
  return { site, address: `${baseUrl}${path}`, path, stylesheet, speech: speechOf(site.language) };
}

const titleOf = ({ site, speech }: Frame): string =>
  site.helpTitle || speech.say('help_title', { site: site.name });

const pathOfArticle = ({ path }: Frame, slug: string): string =>
  `${path}/articles/${encodeURIComponent(slug)}`;

/** Null means articles without a category, which are under `/more`. */
export const pathOfCategory = ({ path }: Frame, category: Category | null): string =>
  category ? `${path}/categories/${encodeURIComponent(category.slug)}` : `${path}/more`;

interface PageParts {
  readonly title: string;
  /** The path after the help centre's address; undefined for a page without a canonical address. */
  readonly canonical?: string;
  readonly description?: string;
  readonly isArticle?: true;
  /** Keeps search engines from listing the page, even if the site allows listing. */
  readonly unlisted?: true;
  /** The page contains a search form. */
  readonly hasSearch?: true;
  readonly main: Html;
}

const searchForm = ({ path, speech }: Frame, question = '', size: 'large' | 'small' = 'large'): Html =>
  html`<form class="search ${size}" role="search" method="get" action="${path}/search"><label class="hidden" for="q">${speech.say('help_search_for')}</label><input id="q" type="search" name="q" value="${question}" placeholder="${speech.say('help_search_for')}" maxlength="${SEARCH_MAX}" required autocomplete="off" enterkeyhint="search" dir="auto"><button type="submit">${speech.say('help_search')}</button></form>`;

const markOf = ({ name, logo }: HelpSite): Html =>
  logo === null
    ? html`<span class="mark" aria-hidden="true">${[...name][0] ?? ''}</span>`
    : html`<img class="mark logo" src="${picturePath(logo)}" alt="">`;

/** The HTML document around `main`: title, canonical address, robots. */
function layout(frame: Frame, parts: PageParts): Html {
  const { site, address, path, stylesheet, speech } = frame;
  const name = titleOf(frame);
  const title = parts.title === name ? name : `${parts.title} · ${name}`;
  const canonical = parts.canonical === undefined ? undefined : `${address}${parts.canonical}`;
  const isListed = site.helpIndexed && !parts.unlisted;
  return html`<!doctype html>
<html lang="${speech.language}" dir="${speech.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="${isListed ? 'index, follow' : 'noindex'}">
<title>${title}</title>
${parts.description && html`<meta name="description" content="${parts.description}">\n`}${
  canonical &&
  html`<link rel="canonical" href="${canonical}">
<meta property="og:url" content="${canonical}">\n`
}<meta property="og:type" content="${parts.isArticle ? 'article' : 'website'}">
<meta property="og:title" content="${parts.title}">
<meta property="og:site_name" content="${name}">
<meta property="og:locale" content="${site.language}">
${parts.description && html`<meta property="og:description" content="${parts.description}">\n`}<meta name="twitter:card" content="summary">
<link rel="sitemap" type="application/xml" href="${path}/sitemap.xml">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${stylesheet}">
</head>
<body>
<a class="skip" href="#main">${speech.say('help_skip')}</a>
<header class="site"><div class="wide"><a class="name" href="${path}" dir="auto">${markOf(site)}<span class="label">${name}</span></a>${!parts.hasSearch && searchForm(frame, '', 'small')}</div></header>
<main id="main">
${parts.main}
</main>
<script async src="/assets/js/visitor-sdk.js" data-site="${site.publicKey}"></script>
</body>
</html>
`;
}

const countOf = ({ speech }: Frame, count: number): string => speech.say('help_articles', { count });

const trail = (frame: Frame, category?: Category | null): Html =>
  html`<nav class="trail" aria-label="${frame.speech.say('help_breadcrumb')}"><ol><li><a href="${frame.path}" dir="auto">${titleOf(frame)}</a></li>${category && html`<li><a href="${pathOfCategory(frame, category)}" dir="auto">${category.name}</a></li>`}</ol></nav>`;

const linkList = (frame: Frame, articles: readonly Link[]): Html =>
  html`<ul class="links">${articles.map(({ slug, title }) => html`<li><a href="${pathOfArticle(frame, slug)}" dir="auto">${title}</a></li>`)}</ul>`;

interface HomeCategory {
  readonly category: Category | null;
  readonly article_count: number;
  readonly articles: readonly Link[];
}

/** The first articles of each category, in the given order; without any category, a page that says so. */
export function homePage(frame: Frame, categories: readonly HomeCategory[]): Html {
  const { site, speech } = frame;
  const title = titleOf(frame);
  const nameOf = (category: Category | null): string => category?.name ?? speech.say('help_more');
  const main = html`<div class="hero"><div class="wide"><h1 dir="auto">${title}</h1>
${site.helpIntro !== '' && html`<p class="intro" dir="auto">${site.helpIntro}</p>`}
${searchForm(frame)}</div></div>
<div class="wide">
${
  categories.length === 0
    ? html`<div class="empty"><h2>${speech.say('help_nothing_yet')}</h2><p>${speech.say('help_nothing_yet_hint')}</p></div>`
    : html`<div class="categories">${categories.map(
        ({ category, article_count, articles }) => html`<section class="category">
<h2 dir="auto"><a href="${pathOfCategory(frame, category)}">${nameOf(category)}</a></h2>
${linkList(frame, articles)}
${article_count > articles.length ? html`<p class="all"><a href="${pathOfCategory(frame, category)}">${speech.say('help_all_articles', { count: article_count })}<span class="hidden"> · ${nameOf(category)}</span></a></p>` : html`<p class="count">${countOf(frame, article_count)}</p>`}
</section>`,
      )}</div>`
}
</div>`;
  return layout(frame, {
    title,
    canonical: '',
    main,
    hasSearch: true,
    ...(site.helpIntro === '' ? {} : { description: site.helpIntro }),
  });
}

const pager = (
  { speech }: Frame,
  { page, pages }: { page: number; pages: number },
  addressOf: (page: number) => string,
): Html | false =>
  pages > 1 &&
  html`<nav class="pager" aria-label="${speech.say('help_page', { page, pages })}">${page > 1 && html`<a rel="prev" href="${addressOf(page - 1)}">${speech.say('help_previous')}</a>`}<span>${speech.say('help_page', { page, pages })}</span>${page < pages && html`<a rel="next" href="${addressOf(page + 1)}">${speech.say('help_next')}</a>`}</nav>`;

export interface CategoryPage {
  readonly category: Category | null;
  readonly articles: readonly Link[];
  readonly articleCount: number;
  readonly page: number;
  readonly pages: number;
}

/** Page 1 has no `?page=`, so that every page has exactly one address. */
export function categoryPage(frame: Frame, shown: CategoryPage): Html {
  const { category, articles, articleCount, page, pages } = shown;
  const name = category?.name ?? frame.speech.say('help_more');
  const own = pathOfCategory(frame, category);
  const addressOf = (at: number): string => (at === 1 ? own : `${own}?page=${at}`);
  return layout(frame, {
    title: page === 1 ? name : `${name} (${page})`,
    canonical: addressOf(page).slice(frame.path.length),
    main: html`<div class="narrow">${trail(frame)}
<h1 dir="auto">${name}</h1>
<p class="count">${countOf(frame, articleCount)}</p>
<div class="card">${linkList(frame, articles)}</div>
${pager(frame, { page, pages }, addressOf)}</div>`,
  });
}

export interface ArticlePage {
  readonly slug: string;
  readonly title: string;
  readonly category: Category | null;
  readonly description: string;
  readonly body: Html;
  readonly headings: readonly { id: string; text: string; level: number }[];
  readonly updatedAt: Date;
  /** The vote that this reader has just given. */
  readonly rated?: 'yes' | 'no';
}

/** With fewer headings, a table of contents adds nothing. */
const CONTENTS_MIN = 2;

function rateForm(frame: Frame, { slug, rated }: ArticlePage): HtmlPart {
  const { speech } = frame;
  if (rated)
    return html`<section class="rate" id="rate"><p role="status">${speech.say(rated === 'yes' ? 'help_thanks' : 'help_thanks_no')}</p></section>`;
  return html`<form class="rate" id="rate" method="post" action="${pathOfArticle(frame, slug)}/helpful"><fieldset><legend>${speech.say('help_was_helpful')}</legend><button name="helpful" value="yes">${speech.say('help_yes')}</button><button name="helpful" value="no">${speech.say('help_no')}</button></fieldset></form>`;
}

/** `body` is inserted as it is and must be safe HTML. The contents are listed from two headings on. */
export function articlePage(frame: Frame, article: ArticlePage): Html {
  const { speech, site } = frame;
  const { title, category, headings, body, updatedAt, slug, description } = article;
  // Splits the phrase at the date, which needs a `time` element.
  const [before, after] = speech.say('help_updated').split('{date}');
  const contents =
    headings.length >= CONTENTS_MIN &&
    html`<nav class="contents" id="contents" aria-labelledby="contents-title"><h2 id="contents-title">${speech.say('help_contents')}</h2><ol>${headings.map(({ id, text, level }) => html`<li class="level-${level}"><a href="#${encodeURIComponent(id)}" dir="auto">${text}</a></li>`)}</ol></nav>`;
  return layout(frame, {
    title,
    canonical: pathOfArticle(frame, slug).slice(frame.path.length),
    isArticle: true,
    ...(description === '' ? {} : { description }),
    main: html`<div class="reading${contents && ' with-contents'}"><article lang="${site.language}">${trail(frame, category)}
<h1 dir="auto">${title}</h1>
<p class="updated">${before}<time datetime="${updatedAt.toISOString()}">${speech.date(updatedAt)}</time>${after}</p>
${contents}
<div class="text" dir="auto">
${body}</div>
${rateForm(frame, article)}
</article></div>`,
  });
}

interface Hit extends Link {
  readonly category: Category | null;
  readonly excerpt: string;
}

/** Search engines never list it. An empty question shows only the search form. */
export function searchPage(frame: Frame, question: string, hits: readonly Hit[]): Html {
  const { speech } = frame;
  const title =
    question === ''
      ? speech.say('help_search_for')
      : speech.say(hits.length > 0 ? 'help_results' : 'help_no_results', { question });
  return layout(frame, {
    title,
    unlisted: true,
    hasSearch: true,
    main: html`<div class="narrow">${trail(frame)}
<h1 dir="auto">${title}</h1>
${searchForm(frame, question)}
${hits.length > 0 ? html`<ol class="hits">${hits.map(({ slug, title: found, category, excerpt }) => html`<li><a href="${pathOfArticle(frame, slug)}"><span class="hit-title" dir="auto">${found}</span>${category && html` <span class="hit-category" dir="auto">${category.name}</span>`}${excerpt !== '' && html`<span class="hit-text" dir="auto">${excerpt}</span>`}</a></li>`)}</ol>` : question !== '' && html`<p class="hint">${speech.say('help_no_results_hint')}</p>`}</div>`,
  });
}

/** The 404 page; it offers the search. */
export function missingPage(frame: Frame): Html {
  return layout(frame, {
    title: frame.speech.say('not_found'),
    unlisted: true,
    hasSearch: true,
    main: html`<div class="narrow lost"><h1>${frame.speech.say('not_found')}</h1>
<p class="hint">${frame.speech.say('not_found_search')}</p>
${searchForm(frame)}
<p><a href="${frame.path}" dir="auto">${titleOf(frame)}</a></p></div>`,
  });
}

/** A page with a single sentence. */
export function sayingPage(frame: Frame, sentence: string): Html {
  return layout(frame, {
    title: sentence,
    unlisted: true,
    main: html`<div class="narrow lost"><h1>${sentence}</h1><p><a href="${frame.path}" dir="auto">${titleOf(frame)}</a></p></div>`,
  });
}

/** The most addresses of a sitemap (sitemaps.org). */
const SITEMAP_URLS_MAX = 50_000;

/** XML. Categories come before articles, which are cut at the 50,000 addresses that a sitemap may have. */
export function sitemap(
  frame: Frame,
  categories: readonly {
    category: Category | null;
    articles: readonly { slug: string; updatedAt: Date }[];
  }[],
): Html {
  const url = (path: string, at?: Date): Html =>
    html`<url><loc>${frame.address}${path.slice(frame.path.length)}</loc>${at && html`<lastmod>${at.toISOString()}</lastmod>`}</url>\n`;
  const urls = [
    url(frame.path),
    ...categories.map(({ category }) => url(pathOfCategory(frame, category))),
    ...categories.flatMap(({ articles }) =>
      articles.map(({ slug, updatedAt }) => url(pathOfArticle(frame, slug), updatedAt)),
    ),
  ];
  return html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.slice(0, SITEMAP_URLS_MAX)}</urlset>
`;
}
