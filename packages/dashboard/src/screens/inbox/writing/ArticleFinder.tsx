import { SEARCH_MAX } from '@foyer/protocol/values/bounds';
import { Command } from 'cmdk';
import { useState } from 'react';
import { PickDialog } from '../../../ui/dialogs/PickDialog.tsx';
import { FoundArticles, useFoundArticles } from '../../knowledge/FoundArticles.tsx';
import { t } from './t.ts';

interface ArticleFinderProps {
  /** A link in markdown. */
  onInsert: (link: string) => void;
  onClose: () => void;
}

/** Removes characters that would end a link's text in markdown. */
const withoutBrackets = (title: string): string => title.replace(/[[\]\\]/g, ' ').trim();

/** Finds a published article by its words, to link to it in a reply. */
export function ArticleFinder({ onInsert, onClose }: ArticleFinderProps) {
  const [q, setQ] = useState('');
  const found = useFoundArticles(q.trim());
  return (
    <PickDialog
      label={t('article_link')}
      placeholder={t('article_find')}
      search={q}
      onSearch={setQ}
      onClose={onClose}
      maxLength={SEARCH_MAX}
      command={{ shouldFilter: false }}
    >
      <Command.List label={t('articles')} className="scroll-y max-h-[50dvh] p-2">
        {found.isKnown ? (
          <Command.Empty className="px-3 py-4 text-center text-soft">
            {t(found.isOff ? 'articles_off' : 'article_none')}
          </Command.Empty>
        ) : null}
        <FoundArticles
          found={found}
          onChoose={({ title, url }) => {
            onClose();
            onInsert(`[${withoutBrackets(title)}](${url})`);
          }}
        />
      </Command.List>
    </PickDialog>
  );
}
