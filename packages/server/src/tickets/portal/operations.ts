import { type AnyOperation, operation } from '../../core/operation.ts';
import { createPortalLink, listPortalLinks, revokePortalLink } from './links.ts';

/** The links to the customer portal. */
export const portalOperations: AnyOperation[] = [
  operation({
    name: 'portal_links.list',
    summary: 'List a ticket’s active portal links, newest first',
    who: ['token', 'agent'],
    scope: 'read',
    rest: { resource: 'portal_token', method: 'GET' },
    records: { ticket_id: 'ticket' },
    tool: {
      name: 'list_portal_links',
      description:
        'List a ticket’s active portal links, when each was last used and when it expires. The links ' +
        'themselves can’t be read again; create a new one with create_portal_link.',
    },
    run: listPortalLinks,
  }),
  operation({
    name: 'portal_links.create',
    summary: 'Create a portal link, with which the requester reads and answers a ticket',
    who: ['token', 'agent'],
    scope: 'write',
    rest: { resource: 'portal_token', method: 'POST', creates: true },
    records: { ticket_id: 'ticket' },
    tool: {
      name: 'create_portal_link',
      description:
        'Create a private link for a ticket’s customer: its page shows the public replies (never ' +
        'notes) and accepts answers with files. Anyone with the link can read the ticket, so send it only to that customer. ' +
        'The url is returned only once.',
    },
    run: createPortalLink,
  }),
  operation({
    name: 'portal_links.delete',
    summary: 'Revoke a portal link',
    who: ['token', 'agent'],
    scope: 'write',
    rest: { resource: 'portal_token', method: 'DELETE' },
    records: { id: 'portal_link' },
    tool: {
      name: 'revoke_portal_link',
      description:
        'Revoke a portal link immediately, for example if it went to the wrong person. Take the id from ' +
        'list_portal_links.',
      destructive: true,
    },
    run: (ctx, { id }) => revokePortalLink(ctx, id),
  }),
];
