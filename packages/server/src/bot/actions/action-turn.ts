import type { ActionStepOf, Language } from '@foyer/protocol';
import { type ActionRow, findAction, usableActions } from '../../actions/actions.ts';
import { findCall, finishCall, startCall } from '../../actions/calls.ts';
import { inputsOf } from '../../actions/check-action.ts';
import { loggedInput, readInput } from '../../actions/inputs.ts';
import { type Called, callStep, makeCall } from '../../actions/make-call.ts';
import { namedAction } from '../../actions/matching.ts';
import { findRun, mayCall, type Run, type RunRow, storeRun } from '../../actions/runs.ts';
import { givenBefore, retryFrom, textWith, type Walk, walk } from '../../actions/steps.ts';
import type { Values } from '../../actions/template.ts';
import type { SessionRow } from '../../conversations/sessions.ts';
import type { SiteContext } from '../../core/context.ts';
import { needOf } from '../../intents/intents.ts';
import type { Decision } from '../answer/answer.ts';
import { ACTION_WORDS } from './action-words.ts';
import { problemWith, saysButton } from './spoken.ts';

/** Calls of one run; more must be a loop. */
const CALLS_MAX = 5;
/** How long to wait when another worker is making the call: by then it has ended, or counts as lost. */
const LOOK_AGAIN_S = 3;

export type ActionDecision = Extract<Decision, { kind: 'action' | 'handoff' }>;

/** A turn within an action, and the call that it has made, to be recorded with the reply. */
export interface ActionTurn {
  readonly decision: ActionDecision | { readonly kind: 'wait' };
  readonly called?: { readonly id: number; readonly exchange: Called['exchange'] } | undefined;
}

interface Scene {
  readonly ctx: SiteContext;
  readonly session: SessionRow;
  readonly language: Language;
  readonly action: ActionRow;
  readonly run: Run;
  /** What Foyer itself knows about the visitor, and nobody else can claim. */
  readonly own: Values;
}

const isVerified = (session: SessionRow): boolean => session.verified && session.visitor_key !== null;

const ownValues = (session: SessionRow): Values =>
  isVerified(session)
    ? { 'visitor.key': session.visitor_key ?? '', 'visitor.email': session.visitor_email ?? '' }
    : {};

const says = (texts: readonly string[], run: Run | null, choices: readonly string[] = []): ActionTurn => ({
  decision: { kind: 'action', text: texts.join('\n\n'), choices, run },
});

/** For the team: which action, and which values were entered. */
function whyOf({ action, run }: Scene): string {
  const entered = Object.entries(loggedInput(inputsOf(action.steps), run.given));
  const listed = entered.map(([name, value]) => `${name} “${value.replaceAll(/[“”]/g, '"')}”`).join(', ');
  return `Action “${action.name}”${listed === '' ? '' : `: ${listed}`}.`;
}

const handsOff = (scene: Scene, texts: readonly string[]): ActionTurn => ({
  decision: {
    kind: 'handoff',
    reason: 'rule',
    why: whyOf(scene),
    ...(texts.length > 0 ? { text: texts.join('\n\n') } : {}),
  },
});

/** Continues a visitor's action, or begins the one that they name. Undefined: the message is about something else. */
export async function actionTurn(
  ctx: SiteContext,
  session: SessionRow,
  said: string,
  language: Language,
): Promise<ActionTurn | undefined> {
  const run = await findRun(ctx, session.id);
  const isOver = run && session.handoff_at !== null && session.handoff_at > run.updated_at;
  if (run && !isOver) return goOn(ctx, session, run, said, language);
  if (isOver) await storeRun(ctx, session.id, null);
  const action = namedAction(await usableActions(ctx, isVerified(session)), said);
  return action && beginAction(ctx, session, action, { given: {}, by: 'button', language });
}

/** @param given values that are known already, such as those that a language model has read in the question. */
export function beginAction(
  ctx: SiteContext,
  session: SessionRow,
  action: ActionRow,
  { given, by, language }: { given: Values; by: Run['begun_by']; language: Language },
): Promise<ActionTurn> {
  const run: Run = {
    action_id: action.id,
    action_version: action.version,
    begun_by: by,
    step: action.steps[0]?.id ?? '',
    given,
    misses: 0,
    calls: 0,
    call_id: null,
    may_retry: null,
  };
  const scene = { ctx, session, language, action, run, own: ownValues(session) };
  return proceed(scene, walk(action.steps, 0, given, scene.own));
}

/** Begins an action outside a chat, where a teammate tries the bot: returns its first words and calls nothing. */
export const beginningOf = ({ steps }: Pick<ActionRow, 'steps'>): Decision => ({
  kind: 'action',
  text: walk(steps, 0, {}, {}).says.join('\n\n'),
  choices: [],
  run: null,
});

async function goOn(
  ctx: SiteContext,
  session: SessionRow,
  run: RunRow,
  said: string,
  language: Language,
): Promise<ActionTurn | undefined> {
  const words = ACTION_WORDS[language];
  const action = await findAction(ctx, run.action_id);
  const at = action?.steps.findIndex(({ id }) => id === run.step) ?? -1;
  const step = action?.steps[at];
  const mayUse = action && action.disabled_at === null && (!action.verified || isVerified(session));
  if (!mayUse || step === undefined || action.version !== run.action_version)
    return says([words.changed], null);
  const { site_id: _site, conversation_id: _chat, updated_at: _at, ...stored } = run;
  const scene = { ctx, session, language, action, run: stored, own: ownValues(session) };
  const walkFrom = (from: number, given: Values): Promise<ActionTurn> =>
    proceed(scene, walk(action.steps, from, given, scene.own));
  if (run.call_id !== null) return afterLostCall(scene, run.call_id);
  if (run.may_retry !== null)
    return run.may_retry && saysButton('again', said) ? walkFrom(at, run.given) : undefined;
  if (saysButton('cancel', said)) return says([words.cancelled], null);
  if (step.type === 'ask') return readAnswer(scene, step, said, (given) => walkFrom(at + 1, given));
  if (wantsPerson(said)) return personFor(scene, said);
  if (step.type !== 'confirm') return walkFrom(at, run.given);
  if (saysButton('yes', said)) return walkFrom(at + 1, run.given);
  if (saysButton('no', said)) return says([words.cancelled], null);
  return says([textWith(step.text, { ...run.given, ...scene.own })], missed(scene), choicesAt(scene, step));
}

const wantsPerson = (said: string): boolean => {
  const need = needOf(said);
  return need === 'person' || need === 'callback' || need === 'emergency';
};

const personFor = (scene: Scene, said: string): ActionTurn => ({
  decision: {
    kind: 'handoff',
    reason: needOf(said) === 'emergency' ? 'rule' : 'visitor_request',
    why: whyOf(scene),
  },
});

const missed = ({ run }: Scene): Run => ({ ...run, misses: run.misses + 1 });

/** The buttons below a question; after an invalid answer also one for a person. */
function choicesAt(
  { language, run }: Scene,
  step: ActionStepOf<'ask'> | ActionStepOf<'confirm'>,
  isMiss = false,
): string[] {
  const words = ACTION_WORDS[language];
  const person = run.misses > 0 || isMiss ? [words.person] : [];
  if (step.type === 'confirm') return [words.yes, words.no, ...person];
  const { choices, required } = step.input;
  return [...choices, ...(required ? [] : [words.skip]), words.cancel, ...person];
}

async function readAnswer(
  scene: Scene,
  step: ActionStepOf<'ask'>,
  said: string,
  goOnWith: (given: Values) => Promise<ActionTurn>,
): Promise<ActionTurn> {
  const { run, language, own } = scene;
  const { input, question } = step;
  const take = (value: string) => goOnWith({ ...run.given, [input.name]: value });
  if (!input.required && saysButton('skip', said)) return take('');
  const read = readInput(input, said);
  const isCertain = 'value' in read && input.kind !== 'text';
  if (!isCertain && wantsPerson(said)) return personFor(scene, said);
  if ('value' in read) return take(read.value);
  const asked = textWith(question, { ...run.given, ...own });
  return says(
    [problemWith(input, read.problem, language), asked],
    missed(scene),
    choicesAt(scene, step, true),
  );
}

/** Says what the steps say, up to where they wait, and makes the calls on the way. */
async function proceed(scene: Scene, from: Walk): Promise<ActionTurn> {
  let { run } = scene;
  let here = from;
  let before = run.call_id;
  let called: ActionTurn['called'];
  const said: string[] = [];
  for (;;) {
    said.push(...here.says);
    const { stop, given } = here;
    if (stop.kind !== 'call') return { ...stopped({ ...scene, run: { ...run, given } }, stop, said), called };
    if (run.calls >= CALLS_MAX) return { ...stopped(scene, { kind: 'lost' }, said), called };
    run = { ...run, given, step: stop.step.id, calls: run.calls + 1, misses: 0, may_retry: null };
    const made = await callOnce({ ...scene, run }, stop.step, { before, called });
    if (made === undefined) {
      if (called) await finishCall(scene.ctx, called.id, called.exchange);
      return { decision: { kind: 'wait' } };
    }
    before = made.id;
    called = { id: made.id, exchange: made.exchange };
    const { outcome } = made;
    if (outcome.kind !== 'answered')
      return { ...failedAt({ ...scene, run }, stop.step, outcome.kind, said), called };
    const kept = Object.entries(given).filter(([name]) => !name.startsWith('result.'));
    const at = scene.action.steps.findIndex(({ id }) => id === stop.step.id);
    here = walk(scene.action.steps, at + 1, { ...Object.fromEntries(kept), ...outcome.fields }, scene.own);
  }
}

/**
 * Records the call and that the chat waits for it, then makes it. If the process dies in between, the record shows it,
 * and the call isn't repeated unless it only reads.
 * @returns undefined if another worker is making it.
 */
async function callOnce(
  { ctx, session, action, run, own }: Scene,
  step: ActionStepOf<'call'>,
  { before, called }: { before: number | null; called: ActionTurn['called'] },
): Promise<(Called & { id: number }) | undefined> {
  const row = await ctx.transaction(async (tx) => {
    if (!(await mayCall(tx, session, before))) return undefined;
    if (called) await finishCall(tx, called.id, called.exchange);
    const started = await startCall(tx, {
      action,
      conversationId: session.id,
      by: run.begun_by,
      method: step.method,
      timeoutS: step.timeout_s,
      input: loggedInput(inputsOf(action.steps), run.given),
    });
    await storeRun(tx, session.id, { ...run, call_id: started.id });
    return started;
  });
  if (row === undefined) return undefined;
  const made = await makeCall(ctx, action, step, { ...run.given, ...own }, row.key);
  return { ...made, id: row.id };
}

function stopped(scene: Scene, stop: Exclude<Walk['stop'], { kind: 'call' }>, said: string[]): ActionTurn {
  const words = ACTION_WORDS[scene.language];
  switch (stop.kind) {
    case 'ask':
    case 'confirm': {
      const run = { ...scene.run, step: stop.step.id, misses: 0, call_id: null, may_retry: null };
      return says(said, run, choicesAt({ ...scene, run }, stop.step));
    }
    case 'end':
      return says(said.length > 0 ? said : [words.done], null);
    case 'handoff':
      return handsOff(scene, said);
    case 'lost':
      return handsOff(scene, [...said, words.lost]);
  }
}

/** Says honestly what is known about a call without an answer, and offers what makes sense now. */
function failedAt(
  scene: Scene,
  step: ActionStepOf<'call'>,
  kind: 'refused' | 'failed' | 'unknown',
  said: readonly string[],
): ActionTurn {
  const { action, run, own, language } = scene;
  const words = ACTION_WORDS[language];
  const at = action.steps.findIndex(({ id }) => id === step.id);
  const back = retryFrom(action.steps, at);
  const mayRetry = kind === 'refused' ? back !== -1 : kind === 'failed' && step.method === 'GET';
  const values = { ...run.given, ...own };
  const text =
    kind === 'refused' && step.refused_text !== '' ? textWith(step.refused_text, values) : words[kind];
  const resume =
    kind === 'refused' && mayRetry
      ? { step: action.steps[back]?.id ?? step.id, given: givenBefore(action.steps, back, run.given) }
      : {};
  const next = mayRetry ? { ...run, ...resume, call_id: null, may_retry: true } : null;
  return says([...said, text], next, [...(mayRetry ? [words.again] : []), words.person]);
}

/** A call that was begun and not ended: another worker is making it, or the process that made it died. */
async function afterLostCall(scene: Scene, callId: number): Promise<ActionTurn> {
  const { ctx, session, action, run } = scene;
  const call = await findCall(ctx, callId);
  if (call && call.finished_at === null && call.expires_at > ctx.now()) {
    const { session_id } = session;
    await ctx.enqueue('bot.answer', { session_id }, { key: `${session_id}:call`, startAfterS: LOOK_AGAIN_S });
    return { decision: { kind: 'wait' } };
  }
  const step = callStep(action.steps, run.step);
  if (step === undefined) return says([ACTION_WORDS[scene.language].changed], null);
  if (step.method !== 'GET') return failedAt(scene, step, 'unknown', []);
  return proceed(scene, { says: [], stop: { kind: 'call', step }, given: run.given });
}
