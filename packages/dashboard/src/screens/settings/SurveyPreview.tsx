import type { SiteSettings as Site, Survey } from '@foyer/protocol';
import { useState } from 'react';
import { useMe } from '../../desk/DeskContext.tsx';
import { Segments } from '../../ui/forms/Segments.tsx';
import { t } from './t.ts';
import { PreviewFrame } from './widget/PreviewFrame.tsx';
import { previewMessage } from './widget/preview-frames.ts';

const BEST_RATING = 5;

/** The end of a chat with the survey according to the form. */
export function SurveyPreview({ site, survey }: { site: Site; survey: Survey }) {
  const { agent } = useMe();
  const [part, setPart] = useState<'question' | 'thanks'>('question');
  const asks = survey.ask !== 'never';
  const message = previewMessage(
    { ...site, survey },
    {
      place: 'chat',
      ending: {
        status: 'closed',
        agent: survey.ask === 'after_team' ? agent : null,
        rating: asks && part === 'thanks' ? BEST_RATING : null,
      },
    },
  );
  return (
    <section aria-label={t('survey_preview')} className="xl:sticky xl:top-4">
      {asks ? (
        <div className="mb-3 flex">
          <Segments
            label={t('survey_preview_part')}
            value={part}
            options={[
              { value: 'question', label: t('survey_question') },
              { value: 'thanks', label: t('survey_thanks') },
            ]}
            onChange={setPart}
          />
        </div>
      ) : null}
      <div className="flex flex-col items-center overflow-hidden rounded-lg border bg-sunken p-4">
        <PreviewFrame message={message} />
      </div>
    </section>
  );
}
