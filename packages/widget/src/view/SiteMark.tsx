import type { WidgetSite } from '@foyer/protocol';
import { useState } from 'preact/hooks';

/** The site's logo, or the first letter of its name. */
export const SiteMark = ({ site }: { site: WidgetSite }) => {
  const [isBroken, setBroken] = useState(false);
  const url = site.look.logo_url;
  if (url !== null && !isBroken)
    return <img class="site-mark site-logo" src={url} alt="" onError={() => setBroken(true)} />;
  return (
    <span class="site-mark" aria-hidden="true">
      {[...site.name][0]}
    </span>
  );
};
