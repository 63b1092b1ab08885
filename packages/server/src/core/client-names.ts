import type { AnyOperation } from './operation.ts';

/** What an operation answers: a record, a page of a list, or either, as its input says. */
export type Answers = 'one' | 'page' | 'both';

/** `webhook_subscriptions` is `webhookSubscriptions` in the client. */
export const clientResource = (name: string): string =>
  name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** What an operation is called in the client: its name's verb, save that every list is `list`. */
export const clientMethod = ({ name }: AnyOperation, answers: Answers): string =>
  answers === 'one' ? (name.split('.')[1] ?? name) : 'list';
