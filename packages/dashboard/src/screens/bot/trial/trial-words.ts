import type { BotTrial } from '@foyer/protocol';
import { summaryWords } from '../../../words.ts';
import { t } from './t.ts';

/** A confidence as people read it. */
export const percentOf = (confidence: number): number => Math.round(confidence * 100);

/** What the articles had to say about it. */
function knowledgeWords({ kind, confidence, threshold, candidates }: BotTrial): string {
  const [percent, needed] = [percentOf(confidence ?? 0), percentOf(threshold)];
  if (candidates.length === 0) return t('no_match');
  if (kind === 'answer') return confidence === 1 ? t('chosen') : t('sure', { percent, needed });
  if (kind === 'ask') return t('asks_back', { percent, needed });
  return (confidence ?? 0) < threshold ? t('not_sure', { percent, needed }) : t('no_text');
}

function decisionWords(trial: BotTrial): string {
  switch (trial.by) {
    case 'knowledge':
      return knowledgeWords(trial);
    case 'model':
      return t(trial.kind === 'answer' ? 'by_model' : 'by_model_unknown');
    case 'rule':
    case 'upset':
      return summaryWords(trial.why ?? '');
    default:
      return t(`by_${trial.by}`);
  }
}

/** Why the bot did what it did, sentence by sentence. */
export const reasonsOf = (trial: BotTrial): string[] => [
  ...(trial.model_silent ? [t('model_silent')] : []),
  decisionWords(trial),
  ...(trial.follows_up ? [t('follows_up')] : []),
  ...(trial.handoff !== null && trial.kind !== 'handoff' ? [t('twice')] : []),
];
