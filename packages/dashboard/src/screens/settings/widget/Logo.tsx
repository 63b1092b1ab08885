import { PICTURE_MAX_BYTES } from '@foyer/protocol/values/bounds';
import { call } from '../../../api.ts';
import { useMay, useMe } from '../../../desk/DeskContext.tsx';
import { PictureField } from '../../../ui/forms/PictureField.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { useKeepSite } from '../use-site-form.ts';
import { t } from './t.ts';

/** The site's logo; saved at once, unlike the form around it. */
export function Logo() {
  const { site } = useMe();
  const admin = useMay('site');
  const keepSite = useKeepSite();
  const save = async (content: string | null): Promise<void> => {
    keepSite(await call('site.set_logo', { content }));
    toast.success(t('saved'));
  };
  return (
    <PictureField
      label={t('logo')}
      hint={t('logo_hint', { megabytes: PICTURE_MAX_BYTES / 1024 ** 2 })}
      isSet={site.logo_url !== null}
      disabled={!admin}
      preview={
        site.logo_url === null ? (
          <span
            aria-hidden
            className="grid size-12 place-items-center rounded-lg bg-pressed font-semibold text-soft uppercase"
          >
            {[...site.name][0]}
          </span>
        ) : (
          <img src={site.logo_url} alt={t('logo_alt')} className="size-12 rounded-lg object-contain" />
        )
      }
      save={save}
    />
  );
}
