import type { BotTrial } from '@foyer/protocol';
import { summaryWords } from '../../../words.ts';
import { t } from './t.ts';

/** A confidence as people read it. */
export const percentOf = (confidence: number): number => Math.round(confidence * 100);

/** What the articles contributed to it. */
function knowledgeWords({ kind, confidence, threshold, candidates }: BotTrial): string {
  const [percent, needed] = [percentOf(confidence ?? 0), percentOf(threshold)];
  if (candidates.length === 0) return t('no_match');
  if (kind === 'answer') return confidence === 1 ? t('chosen') : t('sure', { percent, needed });
  if (kind === 'ask') return t('asks_back', { percent, needed });
  return (confidence ?? 0) < threshold ? t('not_sure', { percent, needed }) : t('no_text');
}

const whyWords = ({ why }: BotTrial): string[] => (why ?? '').split('\n').map(summaryWords);

/** What the language model did, or why its answer was not used. */
function modelWords(trial: BotTrial): string[] {
  const { model } = trial;
  if (model === null) return [];
  const { result, problem, detail, search, tokens } = model;
  const [read, written] = [tokens.input, tokens.output];
  return [
    ...resultWords(result, problem, detail ?? ''),
    ...(result === 'handoff' ? whyWords(trial) : []),
    ...(search !== null && search.length > 0 ? [t('searched', { queries: search.join(' · ') })] : []),
    ...(read + written > 0 ? [t('tokens', { read, written })] : []),
  ];
}

function resultWords(
  result: NonNullable<BotTrial['model']>['result'],
  problem: NonNullable<BotTrial['model']>['problem'],
  detail: string,
): string[] {
  if (problem === 'fact' || problem === 'unknown_action') return [t(`model_${problem}`, { detail })];
  if (problem !== null) return [t(`model_${problem}`)];
  switch (result) {
    case 'withheld':
    case 'unreadable':
    case 'failed':
    case 'not_asked':
      return [];
    default:
      return [t(`model_${result}`)];
  }
}

function decisionWords(trial: BotTrial): string {
  switch (trial.by) {
    case 'knowledge':
      return knowledgeWords(trial);
    case 'rule':
    case 'upset':
      return whyWords(trial).join(' ');
    case 'model':
      return '';
    default:
      return t(`by_${trial.by}`);
  }
}

/** Why the bot did what it did, sentence by sentence. */
export const reasonsOf = (trial: BotTrial): string[] => [
  ...modelWords(trial),
  ...(trial.by === 'model' ? [] : [decisionWords(trial)]),
  ...(trial.follows_up ? [t('follows_up')] : []),
  ...(trial.handoff !== null && trial.kind !== 'handoff' ? [t('twice')] : []),
];
