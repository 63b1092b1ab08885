import type { AnyOperation } from './operation.ts';

/** What an operation returns: a record, a page of a list, or either, depending on its input. */
export type Answers = 'one' | 'page' | 'both';

/** `webhook_subscriptions` is `webhookSubscriptions` in the client. */
export const clientResource = (name: string): string =>
  name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The operation's method name in the client: the verb of its name, except that every list is `list`. */
export const clientMethod = ({ name }: AnyOperation, answers: Answers): string =>
  answers === 'one' ? (name.split('.')[1] ?? name) : 'list';
