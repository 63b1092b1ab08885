import { isRightToLeft, type Language } from '@foyer/protocol';
import { type Html, type HtmlPart, html } from '../../html.ts';
import { picturePath } from '../../sites/pictures.ts';
import { filled, type HelpWords, helpWords } from './words.ts';

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
  readonly words: HelpWords;
  readonly wordsIn: Language;
}

interface Link {
  readonly slug: string;
  readonly title: string;
}

interface Category {
  readonly name: string;
  readonly slug: string;
}

export function frameOf(site: HelpSite, baseUrl: string, stylesheet: string): Frame {
  const path = `/help/${site.helpSlug ?? site.publicKey}`;
  return { site, address: `${baseUrl}${path}`, path, stylesheet, ...helpWords(site.language) };
}

export const titleOf = ({ site, words }: Frame): string =>
  site.helpTitle || filled(words.help, { site: site.name });

const pathOfArticle = ({ path }: Frame, slug: string): string =>
  `${path}/articles/${encodeURIComponent(slug)}`;

export const pathOfCategory = ({ path }: Frame, category: Category | null): string =>
  category ? `${path}/categories/${encodeURIComponent(category.slug)}` : `${path}/more`;

interface PageParts {
  readonly title: string;
  /** Behind the help centre's address; undefined for what has no address of its own. */
  readonly canonical?: string;
  readonly description?: string;
  readonly isArticle?: true;
  /** Never listed by search engines, whatever the site says. */
  readonly unlisted?: true;
  /** The page has a search of its own. */
  readonly hasSearch?: true;
  readonly main: Html;
}

const searchForm = ({ path, words }: Frame, question = '', size: 'large' | 'small' = 'large'): Html =>
  html`<form class="search ${size}" role="search" method="get" action="${path}/search"><label class="hidden" for="q">${words.searchFor}</label><input id="q" type="search" name="q" value="${question}" placeholder="${words.searchFor}" maxlength="200" required autocomplete="off" enterkeyhint="search" dir="auto"><button type="submit">${words.search}</button></form>`;

const markOf = ({ name, logo }: HelpSite): Html =>
  logo === null
    ? html`<span class="mark" aria-hidden="true">${[...name][0] ?? ''}</span>`
    : html`<img class="mark logo" src="${picturePath(logo)}" alt="">`;

/** The page around what it shows: what it is called, where it is, who may list it. */
export function layout(frame: Frame, parts: PageParts): Html {
  const { site, address, path, stylesheet, words, wordsIn } = frame;
  const name = titleOf(frame);
  const title = parts.title === name ? name : `${parts.title} · ${name}`;
  const canonical = parts.canonical === undefined ? undefined : `${address}${parts.canonical}`;
  const isListed = site.helpIndexed && !parts.unlisted;
  const direction = isRightToLeft(wordsIn) ? 'rtl' : 'ltr';
  return html`<!doctype html>
<html lang="${wordsIn}" dir="${direction}">
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
<a class="skip" href="#main">${words.skip}</a>
<header class="site"><div class="wide"><a class="name" href="${path}" dir="auto">${markOf(site)}<span class="label">${name}</span></a>${!parts.hasSearch && searchForm(frame, '', 'small')}</div></header>
<main id="main">
${parts.main}
</main>
<script async src="/assets/js/visitor-sdk.js" data-site="${site.publicKey}"></script>
</body>
</html>
`;
}

const countOf = ({ words }: Frame, count: number): string =>
  count === 1 ? words.article : filled(words.articles, { count });

const trail = (frame: Frame, category?: Category | null): Html =>
  html`<nav class="trail" aria-label="${frame.words.breadcrumb}"><ol><li><a href="${frame.path}" dir="auto">${titleOf(frame)}</a></li>${category && html`<li><a href="${pathOfCategory(frame, category)}" dir="auto">${category.name}</a></li>`}</ol></nav>`;

const linkList = (frame: Frame, articles: readonly Link[]): Html =>
  html`<ul class="links">${articles.map(({ slug, title }) => html`<li><a href="${pathOfArticle(frame, slug)}" dir="auto">${title}</a></li>`)}</ul>`;

interface HomeCategory {
  readonly category: Category | null;
  readonly article_count: number;
  readonly articles: readonly Link[];
}

export function homePage(frame: Frame, categories: readonly HomeCategory[]): Html {
  const { site, words } = frame;
  const title = titleOf(frame);
  const main = html`<div class="hero"><div class="wide"><h1 dir="auto">${title}</h1>
${site.helpIntro !== '' && html`<p class="intro" dir="auto">${site.helpIntro}</p>`}
${searchForm(frame)}</div></div>
<div class="wide">
${
  categories.length === 0
    ? html`<div class="empty"><h2>${words.nothingYet}</h2><p>${words.nothingYetHint}</p></div>`
    : html`<div class="categories">${categories.map(
        ({ category, article_count, articles }) => html`<section class="category">
<h2 dir="auto"><a href="${pathOfCategory(frame, category)}">${category?.name ?? words.more}</a></h2>
${linkList(frame, articles)}
${article_count > articles.length ? html`<p class="all"><a href="${pathOfCategory(frame, category)}">${filled(words.allArticles, { count: article_count })}<span class="hidden"> · ${category?.name ?? words.more}</span></a></p>` : html`<p class="count">${countOf(frame, article_count)}</p>`}
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
  { words }: Frame,
  { page, pages }: { page: number; pages: number },
  addressOf: (page: number) => string,
): Html | false =>
  pages > 1 &&
  html`<nav class="pager" aria-label="${filled(words.page, { page, pages })}">${page > 1 && html`<a rel="prev" href="${addressOf(page - 1)}">${words.previous}</a>`}<span>${filled(words.page, { page, pages })}</span>${page < pages && html`<a rel="next" href="${addressOf(page + 1)}">${words.next}</a>`}</nav>`;

export interface CategoryPage {
  readonly category: Category | null;
  readonly articles: readonly Link[];
  readonly articleCount: number;
  readonly page: number;
  readonly pages: number;
}

export function categoryPage(frame: Frame, shown: CategoryPage): Html {
  const { category, articles, articleCount, page, pages } = shown;
  const name = category?.name ?? frame.words.more;
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
  /** What this reader has just said. */
  readonly rated?: 'yes' | 'no';
}

/** Fewer headings are seen at a glance. */
const CONTENTS_MIN = 2;

function rateForm(frame: Frame, { slug, rated }: ArticlePage): HtmlPart {
  const { words } = frame;
  if (rated)
    return html`<section class="rate" id="rate"><p role="status">${rated === 'yes' ? words.thanks : words.thanksNo}</p></section>`;
  return html`<form class="rate" id="rate" method="post" action="${pathOfArticle(frame, slug)}/helpful"><fieldset><legend>${words.wasHelpful}</legend><button name="helpful" value="yes">${words.yes}</button><button name="helpful" value="no">${words.no}</button></fieldset></form>`;
}

export function articlePage(frame: Frame, article: ArticlePage): Html {
  const { words, site } = frame;
  const { title, category, headings, body, updatedAt, slug, description } = article;
  const date = new Intl.DateTimeFormat(frame.wordsIn, { dateStyle: 'long', timeZone: 'UTC' }).format(
    updatedAt,
  );
  const contents =
    headings.length >= CONTENTS_MIN &&
    html`<nav class="contents" id="contents" aria-labelledby="contents-title"><h2 id="contents-title">${words.contents}</h2><ol>${headings.map(({ id, text, level }) => html`<li class="level-${level}"><a href="#${encodeURIComponent(id)}" dir="auto">${text}</a></li>`)}</ol></nav>`;
  return layout(frame, {
    title,
    canonical: pathOfArticle(frame, slug).slice(frame.path.length),
    isArticle: true,
    ...(description === '' ? {} : { description }),
    main: html`<div class="reading${contents && ' with-contents'}"><article lang="${site.language}">${trail(frame, category)}
<h1 dir="auto">${title}</h1>
<p class="updated">${words.updated.split('{date}')[0]}<time datetime="${updatedAt.toISOString()}">${date}</time>${words.updated.split('{date}')[1]}</p>
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

export function searchPage(frame: Frame, question: string, hits: readonly Hit[]): Html {
  const { words } = frame;
  const title =
    question === ''
      ? words.searchFor
      : filled(hits.length > 0 ? words.results : words.noResults, { question });
  return layout(frame, {
    title,
    unlisted: true,
    hasSearch: true,
    main: html`<div class="narrow">${trail(frame)}
<h1 dir="auto">${title}</h1>
${searchForm(frame, question)}
${hits.length > 0 ? html`<ol class="hits">${hits.map(({ slug, title: found, category, excerpt }) => html`<li><a href="${pathOfArticle(frame, slug)}"><span class="hit-title" dir="auto">${found}</span>${category && html` <span class="hit-category" dir="auto">${category.name}</span>`}${excerpt !== '' && html`<span class="hit-text" dir="auto">${excerpt}</span>`}</a></li>`)}</ol>` : question !== '' && html`<p class="hint">${words.noResultsHint}</p>`}</div>`,
  });
}

/** Where there is nothing, the search is offered. */
export function missingPage(frame: Frame): Html {
  return layout(frame, {
    title: frame.words.notFound,
    unlisted: true,
    hasSearch: true,
    main: html`<div class="narrow lost"><h1>${frame.words.notFound}</h1>
<p class="hint">${frame.words.notFoundHint}</p>
${searchForm(frame)}
<p><a href="${frame.path}" dir="auto">${titleOf(frame)}</a></p></div>`,
  });
}

/** A page that says one thing. */
export function sayingPage(frame: Frame, sentence: string): Html {
  return layout(frame, {
    title: sentence,
    unlisted: true,
    main: html`<div class="narrow lost"><h1>${sentence}</h1><p><a href="${frame.path}" dir="auto">${titleOf(frame)}</a></p></div>`,
  });
}

/** A sitemap takes no more (sitemaps.org). */
const SITEMAP_URLS_MAX = 50_000;

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
