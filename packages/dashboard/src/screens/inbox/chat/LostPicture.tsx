import { ImageOff } from 'lucide-react';
import { tCommon } from '../../../t-common.ts';
import { Button } from '../../../ui/Button.tsx';
import { t } from '../t.ts';

interface LostPictureProps {
  name: string;
  /** It was requested again from here, so the focus stays. */
  asked: boolean;
  onAgain: () => void;
}

/** Instead of an image that couldn't be loaded. */
export const LostPicture = ({ name, asked, onAgain }: LostPictureProps) => (
  <div className="flex max-w-full flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border bg-surface p-2 ps-3">
    <ImageOff aria-hidden className="size-4 shrink-0 text-soft" />
    <p role="status" className="wrap-anywhere min-w-0">
      {t.rich('picture_failed', { name: <bdi>{name}</bdi> })}
    </p>
    <Button small autoFocus={asked} onClick={onAgain}>
      {tCommon('retry')}
    </Button>
  </div>
);
