import { type AnyOperation, operation } from '../../core/operation.ts';
import { createPortalLink, listPortalLinks, revokePortalLink } from './links.ts';

/** The customer portal's links, for those who hand them out. */
export const portalOperations: AnyOperation[] = [
  operation({
    name: 'portal_links.list',
    summary: 'List the links to a ticket’s portal page that still work, newest first',
    who: ['token', 'agent'],
    scope: 'read',
    rest: { resource: 'portal_token', method: 'GET' },
    records: { ticket_id: 'ticket' },
    tool: {
      name: 'list_portal_links',
      description:
        'See which links to a ticket’s customer page are live, when each was last used and when it ends. The links ' +
        'themselves can’t be read again; make a new one with create_portal_link.',
    },
    run: listPortalLinks,
  }),
  operation({
    name: 'portal_links.create',
    summary: 'Make a link to the page on which a ticket’s requester reads and answers it',
    who: ['token', 'agent'],
    scope: 'write',
    rest: { resource: 'portal_token', method: 'POST', creates: true },
    records: { ticket_id: 'ticket' },
    tool: {
      name: 'create_portal_link',
      description:
        'Make a private link for the customer of a ticket: the page behind it shows the ticket’s public replies (never ' +
        'notes) and takes an answer with files. Whoever has the link can read it, so give it to that customer alone. ' +
        'The url is shown this once.',
    },
    run: createPortalLink,
  }),
  operation({
    name: 'portal_links.delete',
    summary: 'Revoke a link to a ticket’s portal page',
    who: ['token', 'agent'],
    scope: 'write',
    rest: { resource: 'portal_token', method: 'DELETE' },
    records: { id: 'portal_link' },
    tool: {
      name: 'revoke_portal_link',
      description:
        'End a link to a ticket’s customer page at once, for example when it went to the wrong person. Take the id from ' +
        'list_portal_links.',
      destructive: true,
    },
    run: (ctx, { id }) => revokePortalLink(ctx, id),
  }),
];
