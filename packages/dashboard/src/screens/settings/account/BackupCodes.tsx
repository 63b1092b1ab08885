import { Download } from 'lucide-react';
import { saveFile } from '../../../save-file.ts';
import { Button } from '../../../ui/Button.tsx';
import { CopyBox } from '../../../ui/CopyBox.tsx';
import { t } from './t.ts';

/** The codes for signing in without the phone, shown once. */
export function BackupCodes({ codes }: { codes: readonly string[] }) {
  const text = codes.join('\n');
  return (
    <div className="space-y-3">
      <p className="text-soft">{t('codes_hint')}</p>
      <CopyBox text={text} label={t('codes_copy')} />
      <Button
        icon={<Download aria-hidden className="size-4" />}
        onClick={() => saveFile('foyer-backup-codes.txt', `${text}\n`, 'text/plain')}
      >
        {t('codes_save')}
      </Button>
    </div>
  );
}
