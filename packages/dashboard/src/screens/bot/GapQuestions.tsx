import type { OutputOf } from '@foyer/protocol';

/** What visitors asked in their own words, beside the article that is to answer it. */
export function GapQuestions({ gap }: { gap: OutputOf<'gaps.get'> }) {
  const questions = [...new Set(gap.examples.map(({ question }) => question))];
  return (
    <section aria-label="Asked by visitors" className="rounded-lg border bg-sunken p-3">
      <h2 className="font-medium">Asked by visitors</h2>
      <ul className="mt-2 space-y-2">
        {(questions.length > 0 ? questions : [gap.question]).map((question) => (
          <li key={question} className="wrap-anywhere text-soft" dir="auto">
            {question}
          </li>
        ))}
      </ul>
      <p className="mt-3 text-faint text-xs">Once the article is published, the bot is asked again.</p>
    </section>
  );
}
