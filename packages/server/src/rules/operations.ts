import { type AnyOperation, agentsRead, operation } from '../core/operation.ts';
import { resourceOperations } from '../core/resource.ts';
import { createRule, deleteRule, listRules, updateRule } from './rules.ts';
import { listRuns, ruleUses } from './runs.ts';
import { tryRule } from './try-rule.ts';

/** Automation: everybody reads rules and their log, admins and tokens change them. */
export const ruleOperations: AnyOperation[] = [
  ...resourceOperations({
    name: 'rules',
    record: 'rule',
    who: ['token', 'agent'],
    writers: ['token', 'admin'],
    audit: 'rule',
    list: {
      summary: 'List rules, or read one by id',
      records: { id: 'rule' },
      tool: 'List the automation rules of the site. They run in the order of their position (order asc).',
      run: listRules,
    },
    create: {
      summary: 'Create a rule',
      tool:
        'Create an automation rule: trigger says when it looks at a chat or ticket, conditions which ones, actions what it does. ' +
        'Use try_rule first to see how many records match. It is off until enabled is true.',
      run: createRule,
    },
    update: {
      summary: 'Change a rule, enable or disable it, or move it',
      tool: 'Change an automation rule. conditions and actions replace all of its own: read it first.',
      run: updateRule,
    },
    delete: {
      summary: 'Delete a rule with its log',
      tool: 'Delete an automation rule with its log. update_rule with enabled false only switches it off.',
      run: (ctx, { id }) => deleteRule(ctx, id),
    },
  }),
  operation({
    name: 'rules.try',
    summary: 'Try a rule on the newest chats or tickets, without acting',
    who: ['token', 'agent'],
    scope: 'read',
    resource: 'rules',
    mayLag: true,
    rest: { resource: 'rule_trials', method: 'POST' },
    tool: {
      name: 'try_rule',
      description:
        'See on which of the newest 500 chats or tickets the conditions of a rule match, with examples. Changes nothing.',
    },
    run: tryRule,
  }),
  operation({
    ...agentsRead,
    name: 'rules.uses',
    summary: 'Say when each rule ran last, and how often it failed',
    run: ruleUses,
  }),
  operation({
    name: 'rule_runs.list',
    summary: 'List what rules did, newest first',
    who: ['token', 'agent'],
    scope: 'read',
    rest: { resource: 'rule_runs', method: 'GET' },
    tool: {
      name: 'list_rule_runs',
      description:
        'Read the log of automation rules of the last 30 days: what triggered each run, the conditions that matched, and whether it was done, failed or was stopped.',
    },
    run: listRuns,
  }),
];
