import type { ToSdk, ToWidget } from '@foyer/protocol';

interface HostPage {
  post(message: ToSdk): void;
}

const isMessage = (data: unknown): data is ToWidget =>
  typeof data === 'object' && data !== null && 'foyer' in data && data.foyer === 1 && 'type' in data;

/**
 * Connects to the page around the iframe. Listens only to its window, and only on the origin of the first `init`: the
 * server's `frame-ancestors` has allowed that page to frame the widget.
 */
export const connectHostPage = (receive: (message: ToWidget) => void): HostPage => {
  let origin: string | null = null;
  addEventListener('message', (event: MessageEvent<unknown>) => {
    if (event.source !== parent || parent === self || !isMessage(event.data)) return;
    if (origin === null && event.data.type === 'init') origin = event.origin;
    if (origin === null || event.origin !== origin) return;
    receive(event.data);
  });
  return {
    post(message) {
      // A file or a sandboxed page has the origin "null", which can't be a target.
      if (origin !== null && parent !== self) {
        parent.postMessage({ foyer: 1, ...message }, origin === 'null' ? '*' : origin);
      }
    },
  };
};
