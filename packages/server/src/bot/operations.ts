import { giveBack } from '../conversations/routing/give-back.ts';
import { presentSession } from '../conversations/sessions.ts';
import { type AnyOperation, adminsWrite, agentsRead, agentsWrite, operation } from '../core/operation.ts';
import { resourceOperations } from '../core/resource.ts';
import { rewriteDraft, suggestReply, summariseChat } from './copilot/copilot.ts';
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
import { createRule, deleteRule, listRules, updateRule } from './rules/handoff-rules.ts';
import { getBotSettings, updateBotSettings } from './settings.ts';

const ofChat = { session_id: 'session' } as const;
const ofSet = { set_id: 'question_set' } as const;
const ofEvaluation = { id: 'evaluation' } as const;
const ofGap = { id: 'gap' } as const;

const settingsOperations: AnyOperation[] = [
  operation({ ...agentsRead, name: 'bot.get', summary: 'The settings of the bot', run: getBotSettings }),
  operation({
    ...adminsWrite,
    name: 'bot.update',
    audit: 'site',
    summary: 'Name the bot, switch it on or off',
    run: updateBotSettings,
  }),
  ...resourceOperations({
    name: 'handoff_rules',
    record: 'handoff_rule',
    who: ['agent'],
    writers: ['admin'],
    audit: 'handoff_rule',
    list: { summary: 'The rules by which the bot calls a person', run: listRules },
    create: { summary: 'Add a rule', run: createRule },
    update: { summary: 'Change a rule', run: updateRule },
    delete: { summary: 'Delete a rule', run: (ctx, { id }) => deleteRule(ctx, id) },
  }),
];

const questionOperations: AnyOperation[] = [
  ...resourceOperations({
    name: 'question_sets',
    record: 'question_set',
    who: ['agent'],
    list: { summary: 'The sets of questions that the bot is tried with', run: listQuestionSets },
    create: { summary: 'Make a set of questions', run: (ctx, { name }) => createQuestionSet(ctx, name) },
    update: { summary: 'Rename a set of questions', run: renameQuestionSet },
    delete: {
      summary: 'Delete a set with its questions and evaluations',
      run: (ctx, { id }) => deleteQuestionSet(ctx, id),
    },
  }),
  operation({
    ...agentsWrite,
    name: 'question_sets.import',
    summary: 'Put the questions of a file into a set; again changes nothing',
    records: { id: 'question_set' },
    run: importQuestions,
  }),
  ...resourceOperations({
    name: 'set_questions',
    record: 'set_question',
    who: ['agent'],
    list: {
      summary: 'The questions of a set, in order',
      records: ofSet,
      run: listSetQuestions,
    },
    create: {
      summary: 'Add a question to a set, with what should answer it',
      records: ofSet,
      run: createSetQuestion,
    },
    update: { summary: 'Change a question, or what should answer it', run: updateSetQuestion },
    delete: { summary: 'Take a question out of its set', run: (ctx, { id }) => deleteSetQuestion(ctx, id) },
  }),
];

const evaluationOperations: AnyOperation[] = [
  operation({
    ...agentsWrite,
    name: 'evaluations.start',
    summary: 'Ask the bot every question of a set, in the background',
    records: ofSet,
    run: (ctx, { set_id }) => startEvaluation(ctx, set_id),
  }),
  operation({
    ...agentsRead,
    name: 'evaluations.list',
    summary: 'The evaluations of a set, newest first',
    records: ofSet,
    run: (ctx, { set_id }) => listEvaluations(ctx, set_id),
  }),
  operation({
    ...agentsRead,
    name: 'evaluations.get',
    summary: 'An evaluation: how far it is and what it shows',
    records: ofEvaluation,
    run: (ctx, { id }) => getEvaluation(ctx, id),
  }),
  operation({
    ...agentsWrite,
    name: 'evaluations.cancel',
    summary: 'End an evaluation that is under way',
    records: ofEvaluation,
    run: (ctx, { id }) => cancelEvaluation(ctx, id),
  }),
  operation({
    ...agentsRead,
    name: 'evaluation_results.list',
    summary: 'What was answered to each question, and what it was before',
    records: { evaluation_id: 'evaluation' },
    run: listResults,
  }),
  operation({
    name: 'evaluations.try',
    summary: 'Ask the bot the questions of a file; nothing is kept',
    who: ['admin', 'operator'],
    scope: 'read',
    run: (ctx, { text }) => tryQuestions(ctx, text),
  }),
];

const gapOperations: AnyOperation[] = [
  operation({
    ...agentsRead,
    name: 'gaps.list',
    summary: 'What the bot was asked and did not know, the most asked first',
    run: listGaps,
  }),
  operation({
    ...agentsRead,
    name: 'gaps.get',
    summary: 'A gap with its newest questions',
    records: ofGap,
    run: (ctx, { id }) => getGap(ctx, id),
  }),
  operation({
    ...agentsWrite,
    name: 'gaps.dismiss',
    summary: 'Say that no article is to be written for it',
    records: ofGap,
    run: (ctx, { id }) => dismissGap(ctx, id),
  }),
  operation({
    ...agentsWrite,
    name: 'gaps.reopen',
    summary: 'List a gap again',
    records: ofGap,
    run: (ctx, { id }) => reopenGap(ctx, id),
  }),
];

const chatOperations: AnyOperation[] = [
  operation({
    ...agentsWrite,
    name: 'sessions.give_back',
    summary: 'Give a chat back to the bot',
    records: ofChat,
    run: async (ctx, { session_id }) => presentSession(await giveBack(ctx, session_id)),
  }),
  operation({
    ...agentsRead,
    name: 'copilot.suggest',
    summary: 'Suggest a reply to what the visitor said last; nothing is sent',
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
    summary: 'Rewrite a draft: shorter, friendlier, without mistakes, or in another language',
    records: ofChat,
    run: rewriteDraft,
  }),
];

/** What the team does with the bot. */
export const botOperations: AnyOperation[] = [
  ...settingsOperations,
  ...questionOperations,
  ...evaluationOperations,
  ...gapOperations,
  ...chatOperations,
];
