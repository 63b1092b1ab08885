import type { Session } from '@foyer/protocol';
import { UserRoundPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { clock, exact } from '../../../times.ts';
import { reasonSentence, summaryWords } from '../../../words.ts';
import { t } from '../t.ts';

interface HandoffBlockProps {
  /** The event in words. */
  sentence: string;
  utc: string;
  handoff: NonNullable<Session['handoff']>;
}

/** The last handoff of a chat, with its reason and summary. */
export function HandoffBlock({ sentence, utc, handoff }: HandoffBlockProps) {
  return (
    <section
      aria-label={t('handoff')}
      className="my-4 rounded-lg border border-accent-line bg-accent-ground p-3"
    >
      <p className="flex items-center gap-2 font-medium">
        <UserRoundPlus aria-hidden className="size-4 shrink-0 text-accent-text" />
        <span className="flex-1">{sentence}</span>
        <time dateTime={utc} title={exact(utc)} className="tabular font-normal text-soft text-xs">
          {clock(utc)}
        </time>
      </p>
      <HandoffSummary handoff={handoff} />
    </section>
  );
}

/** A visitor's words keep their own text direction and leave the rest of the line to its own. */
const withQuotes = (line: string): ReactNode[] =>
  line.split(/(“[^“”]*”)/).map((part, at) => (at % 2 === 1 ? <bdi key={String(at)}>{part}</bdi> : part));

/** One line each: the reason, the questions with their results, the visitor. */
function HandoffSummary({ handoff }: { handoff: NonNullable<Session['handoff']> }) {
  const [why = '', ...lines] = (handoff.summary || reasonSentence(handoff.reason))
    .split('\n')
    .map(summaryWords);
  return (
    <>
      <p className="wrap-anywhere mt-1 text-soft" dir="auto">
        {why}
      </p>
      {lines.length > 0 ? (
        <div className="wrap-anywhere mt-2">
          {lines.map((line, at) => (
            <p key={String(at)} dir="auto">
              {withQuotes(line)}
            </p>
          ))}
        </div>
      ) : null}
    </>
  );
}
