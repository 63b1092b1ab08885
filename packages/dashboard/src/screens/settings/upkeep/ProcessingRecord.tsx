import { call } from '../../../api.ts';
import { saveFile } from '../../../save-file.ts';
import { ExportButton } from '../../../ui/ExportButton.tsx';
import { Section } from '../../../ui/Page.tsx';
import { t } from './t.ts';

async function save(): Promise<void> {
  const { text, created_utc } = await call('processing_record.export', {});
  saveFile(`processing-record-${created_utc.slice(0, 10)}.md`, text, 'text/markdown');
}

/** Which personal data is kept, why, how long, and who gets it, as a document. */
export const ProcessingRecord = () => (
  <Section title={t('record_title')} intro={t('record_intro')}>
    <ExportButton label={t('record_download')} failed={t('record_failed')} save={save} />
  </Section>
);
