import { lockSession, presentSession } from '../conversations/sessions.ts';
import { type AnyOperation, adminsWrite, agentsRead, agentsWrite, operation } from '../core/operation.ts';
import { resourceOperations } from '../core/resource.ts';
import { tagUses } from '../tags/tag-uses.ts';
import { changeInBulk } from './bulk.ts';
import { applyMacro, readyMacro } from './macros/apply.ts';
import { applyMacroToChat } from './macros/apply-to-chat.ts';
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
    list: {
      summary: 'List macros, newest first, or read one by id',
      records: ofMacro,
      tool:
        'List the macros: prepared actions (replies, notes, status, priority, assignee, tags, snooze) for recurring cases. ' +
        'Look here before you answer a routine case by hand, then use apply_macro.',
      run: listMacros,
    },
    create: {
      summary: 'Create a macro',
      tool:
        'Save actions under a name, to apply them to tickets later. Replies and notes may contain {{visitor.name}}, ' +
        '{{visitor.email}}, {{ticket.id}}, {{ticket.subject}}, {{agent.name}} and {{site.name}}. Changes no ticket.',
      run: createMacro,
    },
    update: {
      summary: 'Update a macro’s name or actions, or who sees it',
      tool:
        'Update a macro for everybody who sees it, or share it with others. actions replaces all of its actions: ' +
        'read it first.',
      run: updateMacro,
    },
    delete: {
      summary: 'Delete a macro; tickets stay as they are',
      tool: 'Permanently delete a macro for everybody who sees it.',
      run: (ctx, { id }) => deleteMacro(ctx, id),
    },
  }),
  operation({
    name: 'macros.apply',
    summary: 'Apply a macro to a ticket, all or nothing',
    who: ['token', 'agent'],
    scope: 'write',
    records: { macro_id: 'macro', ticket_id: 'ticket' },
    tool: {
      name: 'apply_macro',
      description:
        'Apply all actions of a macro to one ticket; if one fails, none is applied. A macro with a reply writes to the customer: ' +
        'read it with list_macros first. Returns the updated ticket. For many tickets use change_tickets.',
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
    ...agentsWrite,
    name: 'macros.apply_to_chat',
    summary: 'Apply a macro to a chat, all or nothing',
    records: { macro_id: 'macro', session_id: 'session' },
    run: async (ctx, { macro_id, session_id }) => {
      const macro = await readyMacro(ctx, macro_id);
      const chat = await ctx.transaction(async (tx) =>
        presentSession(await applyMacroToChat(tx, await lockSession(tx, session_id), macro)),
      );
      await noteMacroUse(ctx, macro_id);
      return chat;
    },
  }),
  operation({
    ...agentsRead,
    name: 'macros.uses',
    summary: 'Count the uses of each macro',
    run: macroUses,
  }),
  operation({
    ...agentsWrite,
    name: 'macros.note_use',
    summary: 'Record that a macro’s text was inserted into a reply',
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
    summary: 'Count the chats, tickets, macros and views of each tag',
    run: tagUses,
  }),
  operation({
    ...adminsWrite,
    name: 'tags.merge',
    summary: 'Merge a tag into another, one batch per call; the last call deletes it',
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
      summary: 'List saved views by position with their ticket counts, or read one by id',
      records: ofView,
      tool: {
        name: 'list_views',
        description:
          'List the saved views (ticket filters such as "urgent and unassigned") and how many tickets each has now. ' +
          'Use it to see what is waiting; list_tickets with view returns the tickets.',
      },
      run: listViews,
    },
    create: {
      summary: 'Create a saved view from a ticket filter',
      tool: {
        name: 'create_view',
        description:
          'Save a ticket filter and its sort order under a name, for everyone or one team. filter takes the same fields as ' +
          'list_tickets. Returns the view with its count.',
      },
      run: createView,
    },
    update: {
      summary: 'Update a view’s name, filter, sort order or position, or who sees it',
      tool: {
        name: 'update_view',
        description: 'Update a saved view for everybody who sees it. filter replaces the whole filter.',
        idempotent: true,
      },
      run: updateView,
    },
    delete: {
      summary: 'Delete a saved view; its tickets stay as they are',
      tool: {
        name: 'delete_view',
        description: 'Delete a saved view for everybody who sees it. Its tickets stay as they are.',
        destructive: true,
      },
      run: (ctx, { id }) => deleteView(ctx, id),
    },
  }),
];

const bulkOperation = operation({
  name: 'tickets_bulk.change',
  summary: 'Update up to 500 tickets in one call; failures are listed and don’t stop the others',
  who: ['token', 'agent'],
  scope: 'write',
  rest: { resource: 'tickets_bulk', method: 'POST' },
  tool: {
    name: 'change_tickets',
    description:
      'Apply one action to many tickets (set_status, set_priority, assign, add_tags, remove_tags, snooze, ' +
      'apply_macro, delete); each action takes only its own field. Returns the ids that succeeded, and those that failed with ' +
      'the reason: read both. delete is permanent, and a macro may write to every customer.',
    destructive: true,
  },
  run: changeInBulk,
});

/** Operations on macros, saved views, and many tickets at once, for tokens and agents. */
export const deskOperations: AnyOperation[] = [
  ...macroOperations,
  ...tagOperations,
  ...viewOperations,
  bulkOperation,
];
