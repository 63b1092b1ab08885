import { dropCursor } from 'prosemirror-dropcursor';
import { gapCursor } from 'prosemirror-gapcursor';
import { history } from 'prosemirror-history';
import { keymap } from 'prosemirror-keymap';
import { type Command, Plugin } from 'prosemirror-state';
import { addresses } from './addresses.ts';
import { baseKeymap } from './keys.ts';
import type { Dialect } from './markdown/dialect.ts';
import { pasting } from './paste/paste.ts';
import { schema } from './schema.ts';
import { t } from './t.ts';
import { tables } from './tables.ts';
import { typedMarkdown } from './typed-markdown.ts';
import { type Upload, uploads } from './uploads.ts';

/** Following a link needs a key, because a click places the caret. */
const links = (): Plugin =>
  new Plugin({
    props: {
      handleClickOn(_view, _pos, node, _at, event) {
        if (!(event.ctrlKey || event.metaKey) || !node.isTextblock) return false;
        const shown = event.target instanceof Element ? event.target.closest('a') : null;
        const href = shown?.getAttribute('title') ?? shown?.textContent ?? '';
        if (!/^https?:\/\//.test(href)) return false;
        window.open(href, '_blank', 'noopener,noreferrer');
        return true;
      },
    },
  });

/** Keeps a paragraph after a final table, code block or rule, so that one can continue writing. */
const roomBelow = (): Plugin =>
  new Plugin({
    props: {
      handleClick(view, _pos, event) {
        const { lastChild, content } = view.state.doc;
        const below = (view.dom.lastElementChild?.getBoundingClientRect().bottom ?? 0) < event.clientY;
        if (!below || lastChild?.type === schema.nodes.paragraph) return false;
        view.dispatch(view.state.tr.insert(content.size, schema.nodes.paragraph.create()));
        return false;
      },
    },
  });

interface PluginOptions {
  dialect: Dialect;
  keys: Readonly<Record<string, Command>>;
  /** Unset: images aren't part of the text, and the surrounding component handles them. */
  upload?: Upload;
}

/** Everything the editor does besides showing a document. */
export const plugins = ({ dialect, keys, upload }: PluginOptions): Plugin[] => [
  typedMarkdown(dialect),
  keymap(keys),
  keymap(baseKeymap),
  history(),
  dropCursor({ color: 'var(--accent)', width: 2 }),
  gapCursor(),
  ...tables(),
  addresses(dialect),
  uploads(() => t('image_adding')),
  pasting(dialect, upload),
  links(),
  roomBelow(),
];
