import { type Html, type HtmlPart, html } from '../../base/html.ts';
import type { Answers } from '../../core/client-names.ts';
import type { AnyOperation, RestRoute } from '../../core/operation.ts';
import { failureOf } from './answers.ts';
import { clientCallOf, curlOf, prettyJson, sentBy } from './docs-examples.ts';
import { fieldList, fieldOf, prose, resolve } from './docs-schema.ts';
import { schemaOf } from './operations.ts';
import type { Answer, DescribedOperation, JsonSchema, OpenApiDocument } from './types.ts';

/** An operation with its description. */
export interface Described {
  operation: AnyOperation;
  route: RestRoute;
  described: DescribedOperation;
  answers: Answers;
}

/** JSON with names and values marked up differently. */
function json(text: string): HtmlPart[] {
  return text
    .split(/("(?:[^"\\]|\\.)*"(?=:))/)
    .map((part, at) => (at % 2 === 1 ? html`<span class="key">${part}</span>` : part));
}

const example = (title: string, code: HtmlPart): Html =>
  html`<figure><figcaption>${title}</figcaption><pre tabindex="0"><code>${code}</code></pre></figure>`;

/** The stylesheet colours it by the method's class. */
export const methodBadge = (method: string): Html =>
  html`<span class="method ${method.toLowerCase()}">${method}</span>`;

function requestFields(operation: DescribedOperation, document: OpenApiDocument): HtmlPart {
  const { schemas: records, parameters: shared } = document.components;
  const options = { records, demands: true };
  const query = operation.parameters.filter((one) => 'name' in one);
  const headers = operation.parameters.flatMap((one) => {
    const known = '$ref' in one ? shared[one.$ref.split('/').at(-1) ?? ''] : undefined;
    return known ? [known] : [];
  });
  const body = operation.requestBody?.content['application/json'].schema;
  const parameterList = (title: string, list: typeof query) =>
    list.length > 0 &&
    html`<h4>${title}</h4><dl class="fields">${list.map((one) => {
      const own = schemaOf(one);
      const schema: JsonSchema =
        one.description === undefined ? own : { ...own, description: one.description };
      return fieldOf(one.name, schema, one.required ?? false, options);
    })}</dl>`;
  return [
    parameterList('Query', query),
    body && html`<h4>Body</h4>${bodyFields(body, options)}`,
    parameterList('Headers', headers),
  ];
}

function bodyFields(body: JsonSchema, options: Parameters<typeof fieldList>[1]): HtmlPart {
  const known = resolve(body, options.records);
  const open = known.additionalProperties;
  return [
    known.description !== undefined && html`<p>${prose(known.description)}</p>`,
    fieldList(known, options),
    typeof open === 'object' && html`<p>Any other field is stored as an attribute.</p>`,
  ];
}

function answerFields(answer: Answer, document: OpenApiDocument): HtmlPart {
  const { schemas: records } = document.components;
  const options = { records, demands: false };
  const { schema } = answer.content['application/json'];
  return (schema.anyOf ?? [schema]).map((envelope) => {
    const { data = {}, page } = envelope.properties ?? {};
    const record = resolve(data.items || data, records);
    const title = page ? 'A list' : 'One record';
    return [
      schema.anyOf && html`<p class="choice">${title}</p>`,
      html`<p class="soft">${page ? html`<code>data</code> is a list, <code>page</code> says where it goes on. Each has:` : html`<code>data</code> has:`}</p>`,
      fieldList(record, options),
    ];
  });
}

function failuresOf(operation: DescribedOperation): HtmlPart {
  const failures = Object.entries(operation.responses).flatMap(([status, answer]) => {
    const failure = '$ref' in answer ? failureOf(answer) : undefined;
    return failure ? [[status, failure] as const] : [];
  });
  return html`<details class="failures"><summary>Errors: ${failures.map(([status]) => status).join(', ')}</summary><dl>${failures.map(
    ([status, { description }]) =>
      html`<dt>${status}</dt><dd>${description.split('\n\n').map((line) => html`<p>${prose(line)}</p>`)}</dd>`,
  )}</dl></details>`;
}

/** One operation: its input and output, and beside them how to call it. */
export function operationSection(
  { operation, route, described, answers }: Described,
  document: OpenApiDocument,
): Html {
  const baseUrl = document.servers[0]?.url ?? '';
  const sent = sentBy(described, document.components.schemas);
  const successes = Object.entries(described.responses).flatMap(([status, answer]) =>
    'content' in answer ? [[status, answer] as const] : [],
  );
  const [status = '200', answer] = successes.at(-1) ?? [];
  const fields = answer && answerFields(answer, document);
  return html`<section class="operation" id="${operation.name}" aria-labelledby="${operation.name}-title">
<div class="told"><h3 id="${operation.name}-title"><a href="#${operation.name}">${described.summary}</a></h3>
<p class="address">${methodBadge(route.method)} <code>/v1/${route.resource}</code></p>
<p class="soft">Also <code>/v1/api.ashx?resource=${route.resource}</code>. Needs a token with the scope <code>${operation.scope}</code>.</p>
${requestFields(described, document)}
<h4>Answer <span class="status">${successes.map(([one]) => one).join(', ')}</span></h4>${fields}${failuresOf(described)}</div>
<div class="shown">${example('curl', curlOf(baseUrl, route, sent))}${example(
    'TypeScript',
    clientCallOf(operation, route, answers, sent),
  )}${answer && example(`Answer, ${status}`, json(prettyJson(answer.content['application/json'].example)))}</div>
</section>`;
}
