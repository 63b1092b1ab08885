import type { SiteSettings } from '@foyer/protocol';
import type { Form } from '../../../forms/use-form.ts';

/** The settings that the widget's page changes. */
export type WidgetValues = Pick<
  SiteSettings,
  | 'color'
  | 'position'
  | 'theme'
  | 'launcher_text'
  | 'greeting'
  | 'sound'
  | 'typing_preview'
  | 'language'
  | 'languages'
  | 'pre_chat'
>;

export type WidgetForm = Form<WidgetValues>;

/** The widget's part of the site's settings. */
export const widgetValues = (site: SiteSettings): WidgetValues => ({
  color: site.color,
  position: site.position,
  theme: site.theme,
  launcher_text: site.launcher_text,
  greeting: site.greeting,
  sound: site.sound,
  typing_preview: site.typing_preview,
  language: site.language,
  languages: site.languages,
  pre_chat: site.pre_chat,
});
