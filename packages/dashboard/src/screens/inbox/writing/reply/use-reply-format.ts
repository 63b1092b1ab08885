import { useState } from 'react';
import { store } from '../../../../storage.ts';

const TOOLS = 'foyer.reply-formatting';
const WAY = 'foyer.reply-editor';

/** How replies to tickets are written, as last chosen in this browser. */
export interface ReplyFormat {
  /** As markdown, instead of the visual editor. */
  isMarkdown: boolean;
  chooseMarkdown: (isMarkdown: boolean) => void;
  /** Undefined: the agent hasn't shown or hidden the tools yet. */
  showsTools: boolean | undefined;
  showTools: (shows: boolean) => void;
}

export function useReplyFormat(): ReplyFormat {
  const [isMarkdown, setMarkdown] = useState(() => store.getItem(WAY) === 'markdown');
  const [showsTools, setShowsTools] = useState(() => {
    const kept = store.getItem(TOOLS);
    return kept === null ? undefined : kept === 'true';
  });
  return {
    isMarkdown,
    chooseMarkdown(chosen) {
      store.setItem(WAY, chosen ? 'markdown' : 'visual');
      setMarkdown(chosen);
    },
    showsTools,
    showTools(shows) {
      store.setItem(TOOLS, String(shows));
      setShowsTools(shows);
    },
  };
}
