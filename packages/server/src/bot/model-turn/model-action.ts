import type { ActionRow } from '../../actions/actions.ts';
import { inputsOf } from '../../actions/check-action.ts';
import { readInput } from '../../actions/inputs.ts';
import type { Values } from '../../actions/template.ts';
import { folded } from '../../text/words.ts';
import type { SaidBefore } from './model-prompt.ts';
import type { ModelReply } from './reply-format.ts';

/** An action that a language model has chosen, with the inputs that the visitor has given. */
export interface ChosenAction {
  readonly action: ActionRow;
  readonly given: Values;
}

const tokensOf = (text: string): string => ` ${(folded(text).match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `;

/**
 * The action of a reply, with those of its inputs that are valid and that the visitor wrote word for word, because a
 * model can be talked into others. The rest is asked for. Undefined for an unknown action.
 */
export function chosenAction(
  { name, inputs }: Extract<ModelReply, { kind: 'action' }>,
  actions: readonly ActionRow[],
  question: string,
  before: readonly SaidBefore[],
): ChosenAction | undefined {
  const action = actions.find((one) => folded(one.name.trim()) === folded(name.replace(/^["“]|["”]$/g, '')));
  if (action === undefined) return undefined;
  const visitors = [...before.filter(({ sender }) => sender === 'visitor').map(({ text }) => text), question];
  const written = visitors.map(tokensOf).join('\n');
  const given: Record<string, string> = {};
  for (const input of inputsOf(action.steps)) {
    const said = inputs.get(input.name);
    if (said === undefined || tokensOf(said).trim() === '' || !written.includes(tokensOf(said))) continue;
    const read = readInput(input, said);
    if ('value' in read) given[input.name] = read.value;
  }
  return { action, given };
}
