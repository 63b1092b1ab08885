import { LANGUAGES } from '@foyer/protocol/values/languages';
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useMe } from '../../../desk/DeskContext.tsx';
import { Markdown } from '../../../markdown/Markdown.tsx';
import { agentsQuery } from '../../../queries.ts';
import { Face } from '../../../ui/Face.tsx';
import type { ProactiveValues } from './proactive-values.ts';
import { t } from './t.ts';

/** The bubble as visitors see it, while its text is being written. Nothing in it can be pressed. */
export function BubblePreview({ values: { texts, sender } }: { values: ProactiveValues }) {
  const { site } = useMe();
  const agent = useQuery(agentsQuery).data?.agents.find(({ id }) => String(id) === sender);
  const language = [site.language, ...LANGUAGES].find((one) => texts[one]?.trim());
  const name = agent?.name ?? t('bot');
  return (
    <figure className="m-0">
      <figcaption className="mb-1 font-medium">{t('preview')}</figcaption>
      <div className="rounded-lg border bg-hover p-6">
        <div className="ms-auto flex max-w-85 flex-col gap-3 rounded-2xl border bg-surface p-4 text-[15px]/5.5 shadow-float">
          <div className="flex items-center gap-2">
            <Face kind={agent ? 'agent' : 'bot'} name={name} picture={agent?.picture_url} />
            <bdi className="min-w-0 flex-1 truncate font-semibold">{name}</bdi>
            <X aria-hidden className="size-4 text-soft" />
          </div>
          <div lang={language} dir="auto" className="wrap-anywhere max-h-60 overflow-y-auto">
            {language ? (
              <Markdown text={texts[language] ?? ''} breaks />
            ) : (
              <p className="text-faint">{t('preview_empty')}</p>
            )}
          </div>
          <p className="rounded-xl border border-control px-3 py-2 text-faint">{t('preview_field')}</p>
        </div>
      </div>
    </figure>
  );
}
