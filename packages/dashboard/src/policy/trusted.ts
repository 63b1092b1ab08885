// The content security policy lets HTML be parsed, and scripts be loaded by address, only through these two policies.

interface Policy {
  /** The browser's trusted object for the text: not a string, although it is used like one. */
  createHTML(text: string): string;
  createScriptURL(url: string): string;
}
interface TrustedTypes {
  createPolicy(name: string, rules: Partial<Policy>): Policy;
}

/** Undefined in browsers without Trusted Types, which accept the text itself. */
const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
const inert = trustedTypes?.createPolicy('foyer-inert', { createHTML: (text) => text });
const scripts = trustedTypes?.createPolicy('foyer-scripts', { createScriptURL: (url) => url });

/**
 * HTML in a document of its own, where nothing in it runs or is loaded until it is cleaned. Without its style sheets:
 * the policy refuses them there too.
 */
export function parseApart(html: string): Document {
  // Nothing in a template is shown, or counts as text.
  const text = html.replace(/<(\/?)style\b/gi, '<$1template');
  const parsed = new DOMParser().parseFromString(inert?.createHTML(text) ?? text, 'text/html');
  for (const sheet of parsed.querySelectorAll('template')) sheet.remove();
  return parsed;
}

/** Shows HTML in a frame whose sandbox lets no script run. */
export function showSandboxed(frame: HTMLIFrameElement, html: string): void {
  if (frame.sandbox.length === 0 || frame.sandbox.contains('allow-scripts'))
    throw new Error('the frame has no sandbox');
  frame.srcdoc = inert?.createHTML(html) ?? html;
}

/** The address of a script of this server. */
export const scriptUrl = (url: '/app/service-worker.js' | '/assets/js/visitor-sdk.js'): string =>
  scripts?.createScriptURL(url) ?? url;
