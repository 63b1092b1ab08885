import type { ToWidget, WidgetLook } from '@foyer/protocol';
import type { ChatParts, Launcher, LauncherModule, LiveModule } from './chat-parts.ts';
import { guard, listen, warn } from './guard.ts';
import { isAnonymous, KEPT, RESET } from './identity.ts';
import { mount, type Panel } from './launcher/panel.ts';

const PRELOAD_WITHOUT_IDLE_MS = 2_000;

let launcher: Launcher | undefined;
/** Live visitors are switched on, and this page doesn't report yet. */
let isLive = false;

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

/** Loads the script that reports the open page. */
const report = (parts: ChatParts, { post }: Panel) => {
  if (!isLive) return;
  isLive = false;
  const loading: Promise<LiveModule> = import(/* @vite-ignore */ `${parts.base}/assets/js/live.js`);
  loading.then(({ start }) => start(parts, post)).catch(() => {});
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
  listen(window.navigation as EventTarget | undefined, 'navigatesuccess', () =>
    panel.post({ type: 'page', ...describePage() }),
  );
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
      preload(panel);
      report(parts, panel);
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
    isLive = data.live;
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
