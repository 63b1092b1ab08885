import type { WidgetSite } from '@foyer/protocol';
import { Picture } from '../conversation/Picture.tsx';

/** The site's logo, or the first letter of its name. */
export const SiteMark = ({ site }: { site: WidgetSite }) => (
  <Picture class="site-mark site-logo" src={site.look.logo_url}>
    <span class="site-mark" aria-hidden="true">
      {[...site.name][0]}
    </span>
  </Picture>
);
