import { type AnyOperation, adminsWrite, agentsRead, agentsWrite, operation } from '../core/operation.ts';
import { resourceOperations } from '../core/resource.ts';
import { tagUses } from '../tags/tag-uses.ts';
import { changeInBulk } from './bulk.ts';
import { applyMacro, readyMacro } from './macros/apply.ts';
import {
  createMacro,
  deleteMacro,
  getMacro,
  listMacros,
  macroUses,
  noteMacroUse,
  updateMacro,
} from './macros/macros.ts';
import { mergeTags } from './tags/merge-tags.ts';
import { lockTicket, presentTicket } from './tickets.ts';
import { createView, deleteView, listViews, updateView } from './views/saved-views.ts';

const ofMacro = { id: 'macro' } as const;
const ofView = { id: 'saved_view' } as const;

const macroOperations: AnyOperation[] = [
  ...resourceOperations({
    name: 'macros',
    record: 'macro',
    who: ['token', 'agent'],
    audit: 'macro',
    list: {
      summary: 'List the macros, newest first; by id, one of them',
      records: ofMacro,
      tool:
        'See the macros of the desk: prepared sets of actions (replies, notes, status, priority, assignee, tags, snooze) ' +
        'for cases that come again and again. Look here before you answer a routine case by hand, then use apply_macro.',
      run: listMacros,
    },
    create: {
      summary: 'Make a macro',
      tool:
        'Save actions under a name, to be applied to tickets later. Texts of replies and notes may hold {{visitor.name}}, ' +
        '{{visitor.email}}, {{ticket.id}}, {{ticket.subject}}, {{agent.name}} and {{site.name}}. Changes no ticket.',
      run: createMacro,
    },
    update: {
      summary: 'Rename a macro or replace its actions',
      tool: 'Change a macro for everyone on the team. actions replaces all of its actions: read it first.',
      run: updateMacro,
    },
    delete: {
      summary: 'Delete a macro; tickets that it was applied to stay as they are',
      tool: 'Delete a macro for everyone, for good.',
      run: (ctx, { id }) => deleteMacro(ctx, id),
    },
  }),
  operation({
    name: 'macros.apply',
    summary: 'Apply a macro to a ticket: all of its actions, or none',
    who: ['token', 'agent'],
    scope: 'write',
    records: { macro_id: 'macro', ticket_id: 'ticket' },
    tool: {
      name: 'apply_macro',
      description:
        'Do all actions of a macro on one ticket, or none if one is refused. A macro with a reply writes to the customer: ' +
        'read it with list_macros first. Answers the ticket as it is then. For many tickets use change_tickets.',
      destructive: true,
    },
    run: async (ctx, { macro_id, ticket_id }) => {
      const macro = await readyMacro(ctx, macro_id);
      const ticket = await ctx.transaction(async (tx) =>
        presentTicket(await applyMacro(tx, await lockTicket(tx, ticket_id), macro)),
      );
      await noteMacroUse(ctx, macro_id);
      return ticket;
    },
  }),
  operation({
    ...agentsRead,
    name: 'macros.uses',
    summary: 'How often each macro has helped',
    run: macroUses,
  }),
  operation({
    ...agentsWrite,
    name: 'macros.note_use',
    summary: 'Counts that a macro’s words were put into an answer',
    records: ofMacro,
    run: async (ctx, { id }) => {
      await getMacro(ctx, id);
      await noteMacroUse(ctx, id);
      return { done: true } as const;
    },
  }),
];

const tagOperations: AnyOperation[] = [
  operation({
    ...agentsRead,
    name: 'tags.uses',
    summary: 'How many chats, tickets, macros and views have each tag',
    run: tagUses,
  }),
  operation({
    ...adminsWrite,
    name: 'tags.merge',
    summary: 'Moves a part of what has a tag to another; the last part takes the tag away',
    records: { id: 'tag', into_id: 'tag' },
    run: mergeTags,
  }),
];

const viewOperations: AnyOperation[] = [
  ...resourceOperations({
    name: 'saved_views',
    record: 'saved_view',
    who: ['token', 'agent'],
    audit: 'saved_view',
    list: {
      summary: 'List the saved views by position, with how many tickets each has; by id, one of them',
      records: ofView,
      tool: {
        name: 'list_views',
        description:
          'See the saved views of the desk (filters over tickets, such as "urgent and unassigned") and how many tickets ' +
          'each has now. Use it to see what waits; list_tickets with view gives the tickets.',
      },
      run: listViews,
    },
    create: {
      summary: 'Save a filter over tickets as a view',
      tool: {
        name: 'create_view',
        description:
          'Save a filter over tickets and its order under a name, for the whole team. filter takes the same fields as ' +
          'list_tickets. Answers the view with its count.',
      },
      run: createView,
    },
    update: {
      summary: 'Change a view’s name, filter, order or position',
      tool: {
        name: 'update_view',
        description: 'Change a saved view for the whole team. filter is replaced as a whole.',
        idempotent: true,
      },
      run: updateView,
    },
    delete: {
      summary: 'Delete a saved view; its tickets stay',
      tool: {
        name: 'delete_view',
        description: 'Delete a saved view; no ticket changes.',
        destructive: true,
      },
      run: (ctx, { id }) => deleteView(ctx, id),
    },
  }),
];

const bulkOperation = operation({
  name: 'tickets_bulk.change',
  summary: 'Change up to 500 tickets in one call; those that fail are named and stop no other',
  who: ['token', 'agent'],
  scope: 'write',
  rest: { resource: 'tickets_bulk', method: 'POST' },
  tool: {
    name: 'change_tickets',
    description:
      'Do one thing to many tickets: action says what (set_status, set_priority, assign, add_tags, remove_tags, snooze, ' +
      'apply_macro, delete) and takes only its own field. Answers the ids that succeeded, and those that failed with ' +
      'the reason: read both. delete is for good, and a macro may write to every customer.',
    destructive: true,
  },
  run: changeInBulk,
});

/** What tokens and agents may do with macros, saved views, and many tickets at once. */
export const deskOperations: AnyOperation[] = [
  ...macroOperations,
  ...tagOperations,
  ...viewOperations,
  bulkOperation,
];
