import { useRef } from 'react';
import { Button } from '../../ui/Button.tsx';
import { CopyBox } from '../../ui/CopyBox.tsx';
import { Dialog } from '../../ui/dialogs/Dialog.tsx';
import { t } from './t.ts';

interface SecretDialogProps {
  secret: string | null;
  title: string;
  text: string;
  label: string;
  onClose: () => void;
}

/** Something that is shown only once. */
export function SecretDialog({ secret, title, text, label, onClose }: SecretDialogProps) {
  const copy = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      open={secret !== null}
      holds
      initialFocus={copy}
      onClose={onClose}
      title={title}
      foot={
        <Button look="primary" onClick={onClose}>
          {t('secret_copied')}
        </Button>
      }
    >
      <p className="mb-3">
        <span className="font-medium">{t('secret_once')}</span> <span className="text-soft">{text}</span>
      </p>
      <CopyBox text={secret ?? ''} label={label} wrap copyRef={copy} />
    </Dialog>
  );
}
