/** How a site's button and panel look; `color` is `#rrggbb`, an empty `launcher_text` leaves the button round. */
export interface WidgetLook {
  color: string;
  position: 'left' | 'right';
  launcher_text: string;
  /** A path on this service; null: the first letter of the site's name. */
  logo_url: string | null;
  theme: 'light' | 'dark' | 'auto';
}
