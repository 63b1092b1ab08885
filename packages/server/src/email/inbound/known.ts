import type { SiteContext } from '../../core/context.ts';
import { type OwnMailbox, ownMailboxes } from '../../mail/mailboxes/copies.ts';
import { findRequesters, type Requesters } from '../../tickets/requester/requester.ts';
import { Originals } from './duplicates.ts';
import { Threads } from './find-thread.ts';
import type { Incoming, Outcome, ReadMail } from './received.ts';
import { Senders } from './suspend.ts';

/**
 * What the site knows about the mails of a batch, found in one statement each; every processed mail adds its outcome.
 */
export interface Known {
  mailboxes: readonly OwnMailbox[];
  originals: Originals;
  threads: Threads;
  senders: Senders;
  requesters: Requesters;
}

/** Call it after `lockWaiting`: what it finds stays true until the end of the transaction. */
export async function findKnown(tx: SiteContext, mails: readonly ReadMail[]): Promise<Known> {
  const senders = mails.flatMap(({ mail }) => mail.from?.address ?? []);
  return {
    mailboxes: await ownMailboxes(tx),
    originals: await Originals.find(tx, mails),
    threads: await Threads.find(tx, mails),
    senders: await Senders.find(tx, mails),
    requesters: await findRequesters(tx, senders),
  };
}

/** The next mails of the batch may repeat, continue or follow this one. */
export function addKnown(known: Known, incoming: Incoming, outcome: Outcome): void {
  if (outcome.state !== 'duplicate') known.originals.add(incoming, outcome);
  if (['ticket', 'reply', 'chat'].includes(outcome.state)) known.threads.add(incoming, outcome);
  known.senders.add(incoming, outcome);
}
