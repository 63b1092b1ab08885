import { useState } from 'react';
import { tCommon } from '../t-common.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/dialogs/Dialog.tsx';
import { TextField } from '../ui/forms/Field.tsx';
import { t } from './t.ts';

const DESCRIPTION_MAX = 300;

interface DescribePictureProps {
  description: string;
  onDescribe: (description: string) => void;
  onClose: () => void;
}

/** Asks for an image's alternative text. */
export function DescribePicture({ description, onDescribe, onClose }: DescribePictureProps) {
  const [words, setWords] = useState(description);
  return (
    <Dialog
      open
      holds
      title={t('image_describe')}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{tCommon('cancel')}</Button>
          <Button look="primary" type="submit" form="describe-picture">
            {tCommon('save')}
          </Button>
        </>
      }
    >
      <form
        id="describe-picture"
        onSubmit={(event) => {
          event.preventDefault();
          // The article around it is a form too.
          event.stopPropagation();
          onClose();
          onDescribe(words.trim());
        }}
      >
        <TextField
          bare
          autoFocus
          label={t('image_describe')}
          hint={t('image_describe_hint')}
          maxLength={DESCRIPTION_MAX}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
