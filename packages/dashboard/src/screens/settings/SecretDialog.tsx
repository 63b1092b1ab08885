import { Button } from '../../ui/Button.tsx';
import { CopyBox } from '../../ui/Copy.tsx';
import { Dialog } from '../../ui/Dialog.tsx';

interface SecretDialogProps {
  secret: string | null;
  title: string;
  text: string;
  label: string;
  onClose: () => void;
}

/** Something that is shown only once. */
export function SecretDialog({ secret, title, text, label, onClose }: SecretDialogProps) {
  return (
    <Dialog
      open={secret !== null}
      onClose={onClose}
      title={title}
      foot={
        <Button look="primary" onClick={onClose}>
          I have copied it
        </Button>
      }
    >
      <p className="mb-3">
        <span className="font-medium">It is shown only now.</span> <span className="text-soft">{text}</span>
      </p>
      <CopyBox text={secret ?? ''} label={label} wrap />
    </Dialog>
  );
}
