import type { ActionInput, ActionStep, ActionStepOf, DeskIssue } from '@foyer/protocol';
import type { SiteContext } from '../core/context.ts';
import { checkUrl } from '../net/address-guard.ts';
import { parsedJson } from './result-fields.ts';
import { fill, placeholdersIn } from './template.ts';

/** What Foyer inserts about the visitor. Only in an action for verified ones: anybody can claim to be another. */
export const VISITOR_VALUES = ['visitor.key', 'visitor.email'] as const;
/** Headers that Foyer sets, or that are about the connection. */
const RESERVED_HEADERS = new Set([
  'accept',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'idempotency-key',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);

/** The inputs that an action asks for, in order. */
export const inputsOf = (steps: readonly ActionStep[]): ActionInput[] =>
  steps.flatMap((step) => (step.type === 'ask' ? [step.input] : []));

const issue = (path: string, message: string): DeskIssue => ({ path, message });

/** What a text or a call of these steps may name. */
function isKnown(name: string, names: ReadonlySet<string>, verified: boolean): boolean {
  if (VISITOR_VALUES.some((value) => value === name)) return verified;
  return names.has(name) || name.startsWith('result.');
}

function inputIssues({ input }: ActionStepOf<'ask'>, path: string): DeskIssue[] {
  const { kind, choices, min, max } = input;
  return [
    ...(kind === 'choice' && choices.length < 2 ? [issue(`${path}.choices`, 'must have at least 2')] : []),
    ...(min !== null && max !== null && min > max ? [issue(`${path}.max`, 'must not be below min')] : []),
  ];
}

function urlIssue({ url }: ActionStepOf<'call'>): string | null {
  const begin = /^https?:\/\/[^/?#]*/i.exec(url)?.[0] ?? '';
  return placeholdersIn(begin).length > 0 || begin.includes('{')
    ? 'must not have variables in its host'
    : null;
}

function bodyIssue({ body, method }: ActionStepOf<'call'>): string | null {
  if (body === '') return null;
  if (method === 'GET') return 'must be empty for GET';
  return parsedJson(body) === undefined ? 'must be JSON, with variables only within quotes' : null;
}

async function callIssues(ctx: SiteContext, step: ActionStepOf<'call'>, path: string): Promise<DeskIssue[]> {
  const urlProblem =
    urlIssue(step) ??
    (await checkUrl(
      fill(step.url, {}, () => 'x'),
      ctx.services.webhooks,
    ));
  const bodyProblem = bodyIssue(step);
  const names = step.headers.map(({ name }) => name.toLowerCase());
  return [
    ...(urlProblem === null ? [] : [issue(`${path}.url`, urlProblem)]),
    ...(bodyProblem === null ? [] : [issue(`${path}.body`, bodyProblem)]),
    ...names.flatMap((name, at) =>
      RESERVED_HEADERS.has(name) || names.indexOf(name) !== at
        ? [issue(`${path}.headers.${at}.name`, 'must be another one, which is not set twice or by Foyer')]
        : [],
    ),
  ];
}

function textsOf(step: ActionStep): { readonly field: string; readonly text: string }[] {
  switch (step.type) {
    case 'ask':
      return [{ field: 'question', text: step.question }];
    case 'say':
    case 'confirm':
    case 'handoff':
      return [{ field: 'text', text: step.text }];
    case 'call':
      return [
        { field: 'url', text: step.url },
        { field: 'body', text: step.body },
        { field: 'refused_text', text: step.refused_text },
      ];
    case 'if':
      return [{ field: 'field', text: `{{${step.field}}}` }];
    case 'end':
      return [];
  }
}

const unknownIn = (text: string, names: ReadonlySet<string>, verified: boolean): string[] =>
  placeholdersIn(text).filter((name) => !isKnown(name, names, verified));

function namingIssues(steps: readonly ActionStep[], verified: boolean): DeskIssue[] {
  const names = new Set(inputsOf(steps).map(({ name }) => name));
  return steps.flatMap((step, at) =>
    textsOf(step).flatMap(({ field, text }) =>
      unknownIn(text, names, verified).map((name) => ({
        path: `steps.${at}.${field}`,
        message: name.startsWith('visitor.')
          ? `has {{${name}}}, which needs a verified visitor`
          : `has an unknown variable {{${name}}}`,
        reason: 'placeholder' as const,
        values: { name },
      })),
    ),
  );
}

/** The steps that some visitor can reach. */
function reachable(steps: readonly ActionStep[]): Set<string> {
  const reached = new Set<string>();
  const next = [0];
  for (let at = next.pop(); at !== undefined; at = next.pop()) {
    const step = steps[at];
    if (step === undefined || reached.has(step.id)) continue;
    reached.add(step.id);
    if (step.type === 'if') next.push(steps.findIndex(({ id }) => id === step.go_to));
    if (step.type !== 'end' && step.type !== 'handoff') next.push(at + 1);
  }
  return reached;
}

function orderIssues(steps: readonly ActionStep[]): DeskIssue[] {
  const ids = steps.map(({ id }) => id);
  const names = inputsOf(steps).map(({ name }) => name);
  const reached = reachable(steps);
  return steps.flatMap((step, at) => [
    ...(ids.indexOf(step.id) !== at ? [issue(`steps.${at}.id`, 'is the id of another step')] : []),
    ...(step.type === 'if' && !ids.includes(step.go_to)
      ? [issue(`steps.${at}.go_to`, 'must be the id of a step')]
      : []),
    ...(step.type === 'ask' && names.indexOf(step.input.name) !== inputsOf(steps.slice(0, at)).length
      ? [issue(`steps.${at}.input.name`, 'is asked for by another step')]
      : []),
    ...(reached.has(step.id) ? [] : [issue(`steps.${at}`, 'is never reached')]),
  ]);
}

/** The problems of an action's steps, each by its path. Resolves names, so it is called before a transaction. */
export async function actionIssues(
  ctx: SiteContext,
  steps: readonly ActionStep[],
  verified: boolean,
): Promise<DeskIssue[]> {
  const own = await Promise.all(
    steps.map((step, at) => {
      if (step.type === 'ask') return inputIssues(step, `steps.${at}.input`);
      return step.type === 'call' ? callIssues(ctx, step, `steps.${at}`) : [];
    }),
  );
  return [...own.flat(), ...orderIssues(steps), ...namingIssues(steps, verified)];
}
