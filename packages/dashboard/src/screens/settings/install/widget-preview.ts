import { useEffect, useState } from 'react';
import { scriptUrl } from '../../../policy/trusted.ts';

type PreviewState = 'off' | 'loading' | 'shown' | 'failed';

declare global {
  interface Window {
    svc?: ((command: string, ...input: unknown[]) => void) | null;
  }
}

const ID = 'foyer-widget-preview';

/** Like the snippet: calls made before the script is loaded wait for it. */
function queueCalls(): void {
  const q: unknown[][] = [];
  window.svc ??= Object.assign((...call: unknown[]) => void q.push(call), { q });
}

/** Loads the site's own widget into this page, like on a visitor's page; hides it on leaving. */
export function useWidgetPreview(publicKey: string, on: boolean): PreviewState {
  const [state, setState] = useState<PreviewState>('off');
  useEffect(() => {
    if (!on) return;
    if (document.getElementById(ID)) {
      window.svc?.('show');
      setState('shown');
    } else {
      setState('loading');
      // Otherwise the widget would appear on other pages if the agent leaves before it is loaded.
      queueCalls();
      const script = document.createElement('script');
      script.id = ID;
      script.async = true;
      script.src = scriptUrl('/assets/js/visitor-sdk.js');
      script.dataset.site = publicKey;
      script.onload = () => setState('shown');
      script.onerror = () => {
        script.remove();
        setState('failed');
      };
      document.body.append(script);
    }
    return () => {
      window.svc?.('close');
      window.svc?.('hide');
    };
  }, [publicKey, on]);
  return state;
}
