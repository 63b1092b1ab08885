import { Download } from 'lucide-react';
import { saveFile } from '../../save-file.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyBox } from '../../ui/Copy.tsx';

/** What signs in when the phone is lost, shown once. */
export function BackupCodes({ codes }: { codes: readonly string[] }) {
  const text = codes.join('\n');
  return (
    <div className="space-y-3">
      <p className="text-soft">
        Each signs you in once, should you lose your phone. Keep them where you keep passwords. They are shown
        only now.
      </p>
      <CopyBox text={text} label="Copy the backup codes" />
      <Button
        icon={<Download aria-hidden className="size-4" />}
        onClick={() => saveFile('foyer-backup-codes.txt', `${text}\n`, 'text/plain')}
      >
        Save as a file
      </Button>
    </div>
  );
}
