import type { OutputOf } from '@foyer/protocol';
import { SourceLink } from '../../../knowledge/sources/SourceLink.tsx';
import { t } from '../t.ts';

type Suggested = OutputOf<'copilot.suggest'>;

/** The source of a suggestion, or that there is none. */
export function SuggestedFrom({ suggested: { text, sources, question } }: { suggested: Suggested }) {
  const [source] = sources;
  const words =
    question === null ? t('suggest_no_question') : text === null || !source ? t('suggest_none') : null;
  return (
    <p role="status" className="min-w-0 flex-1 text-soft text-xs sm:truncate">
      {words ??
        t.rich('suggest_from', {
          link: source ? (
            <SourceLink source={source} className="text-accent-text underline">
              <bdi>{source.title}</bdi>
            </SourceLink>
          ) : null,
        })}
    </p>
  );
}
