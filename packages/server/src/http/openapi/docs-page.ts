import { ERROR_STATUS, type ErrorCode, PLAN_LIMITS, PLANS } from '@foyer/protocol';
import { type Html, type HtmlPart, html } from '../../base/html.ts';
import { resources } from '../../registry.ts';
import { ERROR_MEANINGS } from './answers.ts';
import { type Described, methodBadge, operationSection } from './docs-operation.ts';
import { prose } from './docs-schema.ts';
import { describeSchemas } from './schemas.ts';
import type { HttpMethod, OpenApiDocument } from './types.ts';

interface Resource {
  name: string;
  summary: string;
  operations: Described[];
}

function resourcesOf(document: OpenApiDocument): Resource[] {
  const schemas = describeSchemas();
  return document.tags.map(({ name, description }) => {
    const item = document.paths[`/v1/${name}`] ?? {};
    const operations = [...(resources.get(name)?.values() ?? [])].flatMap((operation): Described[] => {
      const route = operation.rest;
      const described = route && item[route.method.toLowerCase() as HttpMethod];
      return described ? [{ operation, route, described, answers: schemas.answers(operation.name) }] : [];
    });
    return { name, summary: description, operations };
  });
}

const GENERAL = [
  ['authentication', 'Authentication'],
  ['answers', 'Answers'],
  ['errors', 'Errors'],
  ['lists', 'Lists'],
  ['limits', 'Rate limits'],
  ['idempotency', 'Idempotency'],
] as const;

const contents = (list: Resource[]): Html =>
  html`<p>General</p><ul>${GENERAL.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>
<p>Resources</p><ul class="resources">${list.map(({ name }) => html`<li><a href="#${name}">${name}</a></li>`)}</ul>`;

const code = (text: string): Html => html`<code>${text}</code>`;

const errorRows = (Object.keys(ERROR_STATUS) as ErrorCode[]).map(
  (name) =>
    html`<tr><td><code>${name}</code></td><td>${ERROR_STATUS[name]}</td><td>${prose(ERROR_MEANINGS[name])}</td></tr>`,
);
const planRows = PLANS.map(
  (plan) => html`<tr><td><code>${plan}</code></td><td>${PLAN_LIMITS[plan].requestsPerMinute}</td></tr>`,
);

const section = (id: (typeof GENERAL)[number][0], body: HtmlPart): Html =>
  html`<section class="general" id="${id}"><h2><a href="#${id}">${new Map(GENERAL).get(id)}</a></h2>${body}</section>`;

const table = (heads: string[], rows: HtmlPart): Html =>
  html`<div class="scroll" tabindex="0"><table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`;

function generalSections(document: OpenApiDocument): HtmlPart {
  const inQuery = 'queryToken' in document.components.securitySchemes;
  return [
    section(
      'authentication',
      html`<p>Send an API token with every call: ${code('Authorization: Bearer foy_…')}. Create one in the desk under Settings → API tokens. A token with the scope ${code('read')} may read; ${code('read,write')} may do everything.</p>${
        inQuery &&
        html`<p>Where no header can be set, ${code('?token=')} works too. A proxy may write it to its log: prefer the header.</p>`
      }`,
    ),
    section(
      'answers',
      html`<p>Every answer is JSON in one envelope: ${code('ok')}, ${code('data')}, ${code('request_id')}, and ${code('page')} with a list. ${code('201')} means that a record was created. The header ${code('X-Service-Request-Id')} is on every answer: quote it when you report a problem.</p>`,
    ),
    section(
      'errors',
      html`<p>${code('ok')} is ${code('false')}, and ${code('error')} has ${code('code')}, ${code('message')}, ${code('request_id')}, and for a bad input ${code('issues')}: every problem at once. Branch on ${code('code')}.</p>${table(['code', 'status', 'meaning'], errorRows)}`,
    ),
    section(
      'lists',
      html`<p>A list gives ${code('limit')} records, newest first unless ${code('order')} says otherwise. ${code('page.next_cursor')} is the ${code('cursor')} of the next page, and null on the last one. Pages stay stable while records are added.</p>`,
    ),
    section(
      'limits',
      html`<p>Each token has a bucket, which empties a minute after its first request. ${code('RateLimit-Limit')}, ${code('RateLimit-Remaining')} and ${code('RateLimit-Reset')} say where it stands; over the limit the answer is ${code('429')} with ${code('Retry-After')}.</p>${table(['plan', 'requests a minute'], planRows)}`,
    ),
    section(
      'idempotency',
      html`<p>Send ${code('Idempotency-Key')} with a POST to repeat it safely: for 24 hours the same key, token and body get the first answer again. Another body under the same key is ${code('409')}.</p>`,
    ),
  ];
}

const resourceSection = ({ name, summary, operations }: Resource, document: OpenApiDocument): Html =>
  html`<section class="resource" id="${name}" aria-labelledby="${name}-title"><header><h2 id="${name}-title"><a href="#${name}"><code>${name}</code></a></h2><p>${summary}</p>
<ul class="endpoints">${operations.map(
    ({ operation, route, described }) =>
      html`<li>${methodBadge(route.method)} <a href="#${operation.name}">${described.summary}</a></li>`,
  )}</ul></header>${operations.map((one) => operationSection(one, document))}</section>`;

/** Renders the OpenAPI description as a page without script. */
export function docsPage(document: OpenApiDocument, sheet: string): Html {
  const list = resourcesOf(document);
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${document.info.title}</title><link rel="stylesheet" href="${sheet}"></head>
<body><a class="skip" href="#content">Skip to the content</a>
<header class="top"><p class="brand"><strong>Foyer</strong> REST API <span class="soft">${document.info.version}</span></p><a class="openapi" href="/v1/openapi.json">OpenAPI 3.1</a></header>
<details class="menu"><summary class="menu-title">Contents</summary><nav aria-label="Contents">${contents(list)}</nav></details>
<div class="frame"><nav class="side" aria-label="Contents at the side">${contents(list)}</nav>
<main id="content"><header class="intro"><h1>REST API</h1><p>One address, a token, JSON in and out. Everything that you can do at the desk you can do from here.</p><p class="address"><code>${document.servers[0]?.url ?? ''}/v1/…</code></p></header>
${generalSections(document)}
${list.map((resource) => resourceSection(resource, document))}</main></div></body></html>`;
}
