import type { ToWidget, WidgetLook } from '@foyer/protocol';
import type { ChatParts, ExtraModule, Launcher, LauncherModule, SiteConfig } from './chat-parts.ts';
import { guard, listen, warn } from './guard.ts';
import { isAnonymous, KEPT, RESET } from './identity.ts';
import { mount, type Panel } from './launcher/panel.ts';

const PRELOAD_WITHOUT_IDLE_MS = 2_000;

let launcher: Launcher | undefined;
/** The site's, once the visitor may be remembered too. Each extra is taken out when it is loaded. */
let config: SiteConfig | undefined;
let hasBegun = false;

const describePage = () => ({ page_url: location.href, page_title: document.title });

const greet = ({ options: { locale, color, position }, visitor, read }: ChatParts) =>
  ({
    type: 'init',
    ...visitor(),
    ...describePage(),
    referrer: document.referrer,
    locale,
    color,
    position,
    kept: read(KEPT),
    forget: !!read(RESET),
  }) as ToWidget;

/** Loads the chat when the page is idle. */
const preload = (panel: Panel) => {
  // Safari has no idle callback.
  const idle: (run: () => void) => void =
    window.requestIdleCallback ?? ((run) => setTimeout(run, PRELOAD_WITHOUT_IDLE_MS));
  const soon = () => idle(guard(panel.preload));
  if (document.readyState === 'complete') soon();
  else listen(window, 'load', soon);
};

/** Loads the scripts that the site has switched on and this page may need. */
const loadExtras = (parts: ChatParts, panel: Panel) => {
  const known = config;
  if (!hasBegun || !known) return;
  const { extras } = known;
  for (const [name, pages] of Object.entries(extras)) {
    if (!pages.some((part) => location.href.toLowerCase().includes(part))) continue;
    delete extras[name];
    const loading: Promise<ExtraModule> = import(/* @vite-ignore */ `${parts.base}/assets/js/${name}.js`);
    loading.then(({ start }) => start(parts, panel, known)).catch(() => {});
  }
};

/** Runs the commands that came before the launcher, without the detours. */
const catchUp = ({ early }: ChatParts, panel: Panel) => {
  let isHidden = false;
  let isOpen = false;
  for (const name of early) {
    isHidden = name === 'hide' || (isHidden && name === 'close');
    isOpen = name === 'open' || (isOpen && name === 'show');
  }
  if (isHidden) panel.show(false);
  if (isOpen) panel.open();
};

const build = (parts: ChatParts, adopt: (look: WidgetLook) => void): Launcher => {
  const { options, base, begin, keep, write, emit } = parts;
  const panel = mount({
    options,
    src: `${base}/widget/${options.site}`,
    greet: () => greet(parts),
    adopt,
    begin() {
      begin();
      keep();
    },
    arrived: () => write(RESET),
    keep: (kept) => write(KEPT, kept),
    emit,
  });
  listen(window.navigation as EventTarget | undefined, 'navigatesuccess', () => {
    panel.post({ type: 'page', ...describePage() });
    loadExtras(parts, panel);
  });
  catchUp(parts, panel);
  return {
    ...panel,
    show: () => panel.show(true),
    hide: () => panel.show(false),
    identify(visitor, before) {
      if (before && !isAnonymous(before)) panel.reset(visitor.key);
      panel.post({ type: 'identify', ...visitor, previous_key: before } as ToWidget);
    },
    begun() {
      hasBegun = true;
      preload(panel);
      loadExtras(parts, panel);
    },
  };
};

/** Starts the launcher with what the SDK gives it; `LauncherModule` says how. */
export const start: LauncherModule['start'] = async (parts, answer) => {
  const { options, begin, mounted } = parts;
  const { data, error } = (await answer) ?? {};
  if (error?.code === 'not_found') {
    warn(`no site ${options.site}`);
    return true;
  }
  const adopt = (look: WidgetLook) => {
    Object.assign(options, { ...look, ...options });
    launcher?.paint();
  };
  if (data) {
    adopt(data.look);
    config = data;
    if (!data.consent) guard(begin)();
  }
  const show = guard(() => {
    if (!document.body) return listen(document, 'DOMContentLoaded', show);
    launcher ??= build(parts, adopt);
    mounted(launcher);
  });
  show();
  return !!data;
};
