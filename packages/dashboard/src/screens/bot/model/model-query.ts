import type { LanguageModelSetup } from '@foyer/protocol';
import type { QueryClient } from '@tanstack/react-query';
import { callQuery } from '../../../call-queries.ts';
import { botQuery } from '../bot-queries.ts';

export const modelQuery = callQuery(['language_model'], 'language_model.get', {});

/** Shows what was saved; whether the bot has a model now is one of its own settings. */
export function noteSetup(client: QueryClient, saved: LanguageModelSetup): void {
  client.setQueryData(modelQuery.queryKey, saved);
  void client.invalidateQueries({ queryKey: botQuery.queryKey, exact: true });
}
