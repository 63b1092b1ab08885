import { useQuery } from '@tanstack/react-query';
import { Files } from 'lucide-react';
import { useMay } from '../../../desk/DeskContext.tsx';
import { tCommon } from '../../../t-common.ts';
import { Page, Rows, Section } from '../../../ui/Page.tsx';
import { Empty } from '../../../ui/States.tsx';
import { Waiting } from '../../../ui/Waiting.tsx';
import { KnowledgeTabs } from '../KnowledgeTabs.tsx';
import { AddSources } from './AddSources.tsx';
import { SourceRow } from './SourceRow.tsx';
import { sourcesQuery } from './source-queries.ts';
import { t } from './t.ts';

/** What the bot answers from besides articles. */
export function SourcesScreen() {
  const isAdmin = useMay('knowledge');
  const { data, error, refetch } = useQuery(sourcesQuery);
  return (
    <Page place="sources" title={tCommon('nav_knowledge')} tabs={<KnowledgeTabs />}>
      <Section title={t('title')} intro={t('intro')}>
        {isAdmin ? <AddSources /> : null}
        {!data ? (
          <Waiting error={error} retry={refetch} failed={t('failed')} rows={3} />
        ) : data.items.length === 0 ? (
          <Empty icon={<Files />} title={t('empty')}>
            {t(isAdmin ? 'empty_hint' : 'empty_agents')}
          </Empty>
        ) : (
          <Rows label={t('title')}>
            {data.items.map((source) => (
              <SourceRow key={source.id} source={source} isAdmin={isAdmin} />
            ))}
          </Rows>
        )}
      </Section>
    </Page>
  );
}
