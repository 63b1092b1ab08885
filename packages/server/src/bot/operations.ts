import { giveBack } from '../conversations/routing/give-back.ts';
import { presentSession } from '../conversations/sessions.ts';
import {
  type AnyOperation,
  adminsRead,
  adminsWrite,
  agentsRead,
  agentsWrite,
  operation,
} from '../core/operation.ts';
import { resourceOperations } from '../core/resource.ts';
import { rewriteDraft, suggestReply, summariseChat } from './copilot/copilot.ts';
import { draftArticle } from './copilot/draft-article.ts';
import {
  cancelEvaluation,
  getEvaluation,
  listEvaluations,
  startEvaluation,
  tryQuestions,
} from './evaluation/evaluations.ts';
import {
  createQuestionSet,
  deleteQuestionSet,
  listQuestionSets,
  renameQuestionSet,
} from './evaluation/question-sets.ts';
import { listResults } from './evaluation/results.ts';
import {
  createSetQuestion,
  deleteSetQuestion,
  importQuestions,
  listSetQuestions,
  updateSetQuestion,
} from './evaluation/set-questions.ts';
import { dismissGap, getGap, listGaps, reopenGap } from './gaps/gaps.ts';
import { clearLanguageModel, getModelSetup, setLanguageModel, switchLanguageModel } from './model/setup.ts';
import { testLanguageModel } from './model/test-call.ts';
import { createRule, deleteRule, listRules, updateRule } from './rules/handoff-rules.ts';
import { getBotSettings, updateBotSettings } from './settings.ts';
import { tryBot } from './trial/trial.ts';

const ofChat = { session_id: 'session' } as const;
const ofSet = { set_id: 'question_set' } as const;
const ofEvaluation = { id: 'evaluation' } as const;
const ofGap = { id: 'gap' } as const;

const settingsOperations: AnyOperation[] = [
  operation({ ...agentsRead, name: 'bot.get', summary: 'Read the bot’s settings', run: getBotSettings }),
  operation({
    ...adminsWrite,
    name: 'bot.update',
    audit: 'site',
    summary: 'Update the bot’s settings',
    run: updateBotSettings,
  }),
  operation({
    ...agentsRead,
    name: 'bot.try',
    summary: 'Ask the bot as a visitor would, with the reasons for its answer; stores nothing',
    run: tryBot,
  }),
  ...resourceOperations({
    name: 'handoff_rules',
    record: 'handoff_rule',
    who: ['agent'],
    writers: ['admin'],
    audit: 'handoff_rule',
    list: { summary: 'List handoff rules', run: listRules },
    create: { summary: 'Create a handoff rule', run: createRule },
    update: { summary: 'Update a handoff rule', run: updateRule },
    delete: { summary: 'Delete a handoff rule', run: (ctx, { id }) => deleteRule(ctx, id) },
  }),
];

const adminsSetModel = { who: ['admin'], scope: 'write', audit: 'language_model' } as const;

const modelOperations: AnyOperation[] = [
  operation({
    ...adminsRead,
    name: 'language_model.get',
    summary: 'Read which language model the site uses; never its key',
    run: getModelSetup,
  }),
  operation({
    ...adminsSetModel,
    name: 'language_model.set',
    summary: 'Set up a language model for the site; it takes precedence over the server’s',
    run: setLanguageModel,
  }),
  operation({
    ...adminsSetModel,
    name: 'language_model.clear',
    summary: 'Remove the site’s language model; the server’s applies again',
    run: clearLanguageModel,
  }),
  operation({
    ...adminsSetModel,
    name: 'language_model.switch',
    summary: 'Switch the language model off or on for the site',
    run: switchLanguageModel,
  }),
  operation({
    ...adminsWrite,
    name: 'language_model.test',
    summary: 'Ask the language model one tiny question and name the problem, if any',
    run: testLanguageModel,
  }),
];

const questionOperations: AnyOperation[] = [
  ...resourceOperations({
    name: 'question_sets',
    record: 'question_set',
    who: ['agent'],
    list: { summary: 'List question sets', run: listQuestionSets },
    create: { summary: 'Create a question set', run: (ctx, { name }) => createQuestionSet(ctx, name) },
    update: { summary: 'Rename a question set', run: renameQuestionSet },
    delete: {
      summary: 'Delete a set with its questions and evaluations',
      run: (ctx, { id }) => deleteQuestionSet(ctx, id),
    },
  }),
  operation({
    ...agentsWrite,
    name: 'question_sets.import',
    summary: 'Import questions from a file into a set; safe to repeat',
    records: { id: 'question_set' },
    run: importQuestions,
  }),
  ...resourceOperations({
    name: 'set_questions',
    record: 'set_question',
    who: ['agent'],
    list: {
      summary: 'List the questions of a set, in order',
      records: ofSet,
      run: listSetQuestions,
    },
    create: {
      summary: 'Add a question with its expected result to a set',
      records: ofSet,
      run: createSetQuestion,
    },
    update: { summary: 'Update a question or its expected result', run: updateSetQuestion },
    delete: { summary: 'Remove a question from its set', run: (ctx, { id }) => deleteSetQuestion(ctx, id) },
  }),
];

const evaluationOperations: AnyOperation[] = [
  operation({
    ...agentsWrite,
    name: 'evaluations.start',
    summary: 'Start an evaluation of a set, in the background',
    records: ofSet,
    run: (ctx, { set_id }) => startEvaluation(ctx, set_id),
  }),
  operation({
    ...agentsRead,
    name: 'evaluations.list',
    summary: 'List the evaluations of a set, newest first',
    records: ofSet,
    run: (ctx, { set_id }) => listEvaluations(ctx, set_id),
  }),
  operation({
    ...agentsRead,
    name: 'evaluations.get',
    summary: 'Read an evaluation’s progress and results',
    records: ofEvaluation,
    run: (ctx, { id }) => getEvaluation(ctx, id),
  }),
  operation({
    ...agentsWrite,
    name: 'evaluations.cancel',
    summary: 'Cancel a running evaluation',
    records: ofEvaluation,
    run: (ctx, { id }) => cancelEvaluation(ctx, id),
  }),
  operation({
    ...agentsRead,
    name: 'evaluation_results.list',
    summary: 'List an evaluation’s results, compared with an earlier one',
    records: { evaluation_id: 'evaluation' },
    run: listResults,
  }),
  operation({
    name: 'evaluations.try',
    summary: 'Evaluate the bot with the questions of a file; stores nothing',
    who: ['admin', 'operator'],
    scope: 'read',
    run: (ctx, { text }) => tryQuestions(ctx, text),
  }),
];

const gapOperations: AnyOperation[] = [
  operation({
    ...agentsRead,
    name: 'gaps.list',
    summary: 'List gaps, the most frequent first',
    run: listGaps,
  }),
  operation({
    ...agentsRead,
    name: 'gaps.get',
    summary: 'Read a gap with its newest questions',
    records: ofGap,
    run: (ctx, { id }) => getGap(ctx, id),
  }),
  operation({
    ...agentsWrite,
    name: 'gaps.dismiss',
    summary: 'Dismiss a gap',
    records: ofGap,
    run: (ctx, { id }) => dismissGap(ctx, id),
  }),
  operation({
    ...agentsWrite,
    name: 'gaps.reopen',
    summary: 'Restore a dismissed gap',
    records: ofGap,
    run: (ctx, { id }) => reopenGap(ctx, id),
  }),
];

const chatOperations: AnyOperation[] = [
  operation({
    ...agentsWrite,
    name: 'sessions.give_back',
    summary: 'Return a chat to the bot',
    records: ofChat,
    run: async (ctx, { session_id }) => presentSession(await giveBack(ctx, session_id)),
  }),
  operation({
    ...agentsRead,
    name: 'copilot.suggest',
    summary: 'Suggest a reply to the visitor’s last message; sends nothing',
    records: ofChat,
    run: (ctx, { session_id }) => suggestReply(ctx, session_id),
  }),
  operation({
    ...agentsRead,
    name: 'copilot.summarise',
    summary: 'Summarise a chat for a colleague',
    records: ofChat,
    run: (ctx, { session_id }) => summariseChat(ctx, session_id),
  }),
  operation({
    ...agentsRead,
    name: 'copilot.rewrite',
    summary: 'Rewrite a draft: shorter, friendlier, corrected or translated',
    records: ofChat,
    run: rewriteDraft,
  }),
  operation({
    ...agentsWrite,
    name: 'copilot.draft_article',
    summary: 'Draft an article from a chat, without personal data',
    records: ofChat,
    run: (ctx, { session_id }) => draftArticle(ctx, session_id),
  }),
];

/** The team's operations on the bot. */
export const botOperations: AnyOperation[] = [
  ...settingsOperations,
  ...modelOperations,
  ...questionOperations,
  ...evaluationOperations,
  ...gapOperations,
  ...chatOperations,
];
