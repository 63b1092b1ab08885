import { useMutation } from '@tanstack/react-query';
import { call } from '../../../api.ts';
import { base64OfPicture } from '../../../picture-file.ts';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { t } from '../t.ts';

export interface ArticleImages {
  /** Returns the image's address in the help centre; undefined if that failed, which it has reported. */
  upload: (file: File) => Promise<string | undefined>;
  uploading: boolean;
}

/** Stores images for articles. */
export function useArticleImages(): ArticleImages {
  const { mutateAsync, isPending } = useMutation({
    mutationFn: async (file: File) => call('article_images.create', { content: await base64OfPicture(file) }),
    onError: (failure) => toast.error(t('image_failed'), failure),
  });
  const upload = (file: File): Promise<string | undefined> =>
    mutateAsync(file).then(
      ({ path }) => path,
      () => undefined,
    );
  return { upload, uploading: isPending };
}
