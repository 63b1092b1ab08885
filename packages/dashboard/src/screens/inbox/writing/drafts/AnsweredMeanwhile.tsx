import { Button } from '../../../../ui/Button.tsx';
import { t } from '../t.ts';

interface AnsweredMeanwhileProps {
  name: string;
  onRead: () => void;
  onSend: () => void;
}

/** Nothing was sent yet: a colleague's answer is above and should be read first. */
export function AnsweredMeanwhile({ name, onRead, onSend }: AnsweredMeanwhileProps) {
  return (
    <div
      role="alert"
      className="mx-2 mt-1 rounded-lg border border-warn-line bg-warn-ground px-3 py-2 text-warn-text"
    >
      <p className="wrap-anywhere">{t('answered_meanwhile', { name })}</p>
      <div className="flex flex-wrap gap-2 py-1">
        <Button small onClick={onRead}>
          {t('answered_read')}
        </Button>
        <Button small look="quiet" onClick={onSend}>
          {t('answered_send')}
        </Button>
      </div>
    </div>
  );
}
