/**
 * The look of a site's launcher and panel. `color` is `#rrggbb`; with an empty `launcher_text` the button is round.
 */
export interface WidgetLook {
  color: string;
  position: 'left' | 'right';
  launcher_text: string;
  /** A path on this service; null: the first letter of the site's name. */
  logo_url: string | null;
  theme: 'light' | 'dark' | 'auto';
}
