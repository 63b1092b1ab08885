import { TYPING_PREVIEW_MAX } from '@foyer/protocol/values/bounds';
import type { Connection } from '../connection.ts';
import { isSession } from '../conversation.ts';
import type { Store } from './store.ts';

/** The minimum time between two typing reports. */
const TYPING_EVERY_MS = 1_000;

/** Reports that the visitor is writing; with the text, if the site asks for a preview. */
export const createTyping = ({ state }: Pick<Store, 'state'>, send: Connection['send']) => {
  let written = '';
  let reported = '';
  let timer: ReturnType<typeof setTimeout> | undefined;

  const report = (chat: string) => {
    timer = undefined;
    if (written === reported) return;
    reported = written;
    send({
      type: 'typing',
      session_id: chat,
      typing: reported !== '',
      // The end of the text, without half a surrogate pair at its beginning.
      ...(state().site?.typing_preview &&
        reported && { text: reported.slice(-TYPING_PREVIEW_MAX).replace(/^[\udc00-\udfff]/, '') }),
    });
    if (reported) timer = setTimeout(report, TYPING_EVERY_MS, chat);
  };
  const clear = () => {
    clearTimeout(timer);
    timer = undefined;
    written = '';
  };
  return {
    /** The text in the box; empty when the visitor stops writing. */
    typing(chat: string, text: string) {
      if (!isSession(chat)) return;
      if (text === '') clear();
      written = text;
      if (!timer) report(chat);
    },
    /** The message was sent, which ends typing for the server too. */
    end() {
      clear();
      reported = '';
    },
  };
};
