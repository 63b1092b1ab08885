import type { InputOf, SiteSettings } from '@foyer/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api.ts';
import { type Form, useForm } from '../../forms/use-form.ts';
import { meQuery } from '../../queries.ts';
import { toast } from '../../ui/toasts/toast-store.ts';

/** Stores the site from a response where every screen reads it. */
export function useKeepSite(): (site: SiteSettings) => void {
  const client = useQueryClient();
  return (site) => void client.setQueryData(meQuery.queryKey, (me) => (me ? { ...me, site } : me));
}

interface SiteFormOptions<F> {
  stored: F;
  input: (values: F) => InputOf<'site.update'>;
  /** Shown after saving. */
  done: string;
  /** The path of the values in the input, if not the top. */
  path?: string;
}

/** A form for settings of the site. */
export function useSiteForm<F extends object>({ input, done, ...options }: SiteFormOptions<F>): Form<F> {
  const keepSite = useKeepSite();
  return useForm({
    ...options,
    save: (values) => call('site.update', input(values)),
    onSaved: (site) => {
      keepSite(site);
      toast.success(done);
    },
  });
}

interface SiteChangeOptions {
  /** Shown after a change. */
  done: (site: SiteSettings) => string;
  /** Shown if it fails. */
  failed: string;
}

/** Changes settings of the site immediately, without a form. */
export function useSiteChange({ done, failed }: SiteChangeOptions) {
  const keepSite = useKeepSite();
  return useMutation({
    mutationFn: (change: InputOf<'site.update'>) => call('site.update', change),
    onSuccess: (site) => {
      keepSite(site);
      toast.success(done(site));
    },
    onError: (error) => toast.error(failed, error),
  });
}
