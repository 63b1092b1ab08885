import { Plugin, PluginKey } from 'prosemirror-state';
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view';
import { PICTURE_TYPES } from '../picture-file.ts';
import { parseApart } from '../policy/trusted.ts';
import { pictureNode } from './commands.ts';
import { describedBy } from './pictures.ts';

/** Stores an image and returns its address; undefined if that failed, which it has reported. */
export type Upload = (file: File) => Promise<string | undefined>;

interface Change {
  id: object;
  /** Where the image will be; undefined once it has arrived or failed. */
  pos?: number;
}

const key = new PluginKey<DecorationSet>('uploads');

/** A placeholder for each image until it is uploaded, which keeps its position while the text around it changes. */
export const uploads = (waiting: () => string): Plugin<DecorationSet> =>
  new Plugin({
    key,
    state: {
      init: () => DecorationSet.empty,
      apply(tr, before) {
        const set = before.map(tr.mapping, tr.doc);
        const change: Change | undefined = tr.getMeta(key);
        if (!change) return set;
        if (change.pos === undefined)
          return set.remove(set.find(undefined, undefined, ({ id }) => id === change.id));
        const box = (): HTMLElement => {
          const element = document.createElement('span');
          element.className = 'picture-waiting';
          element.textContent = waiting();
          return element;
        };
        return set.add(tr.doc, [Decoration.widget(change.pos, box, { id: change.id })]);
      },
    },
    props: { decorations: (state) => key.getState(state) },
  });

export const picturesIn = (files: Iterable<File>): File[] =>
  [...files].filter(({ type }) => type !== '' && PICTURE_TYPES.split(',').includes(type));

/** Uploads images and inserts each at the position, wherever that has moved. */
export function insertPictures(view: EditorView, files: readonly File[], pos: number, upload: Upload): void {
  for (const file of files) {
    const id = {};
    view.dispatch(view.state.tr.setMeta(key, { id, pos }));
    void upload(file).then((src) => {
      if (view.isDestroyed) return;
      const [box] = key.getState(view.state)?.find(undefined, undefined, (spec) => spec.id === id) ?? [];
      const tr = view.state.tr.setMeta(key, { id });
      if (src !== undefined && box) tr.insert(box.from, pictureNode(src, describedBy(file.name)));
      view.dispatch(tr);
    });
  }
}

const DATA = /^data:(image\/[a-z]+);base64,/;

const fileOf = async (address: string): Promise<File> => {
  const [, type = ''] = DATA.exec(address) ?? [];
  const bytes = Uint8Array.from(atob(address.slice(address.indexOf(',') + 1)), (char) => char.charCodeAt(0));
  return new File([bytes], '', { type });
};

/** Uploads images embedded in pasted HTML first; returns the HTML with their addresses. */
export async function withUploaded(html: string, upload: Upload): Promise<string> {
  const { body } = parseApart(html);
  for (const picture of body.querySelectorAll('img')) {
    const address = picture.getAttribute('src') ?? '';
    if (!DATA.test(address)) continue;
    const src = await fileOf(address).then(upload, () => undefined);
    if (src === undefined) picture.remove();
    else picture.setAttribute('src', src);
  }
  return body.innerHTML;
}

/** Whether pasted HTML embeds an image instead of linking it. */
export const hasPictureData = (html: string): boolean => /src=["']data:image\//i.test(html);
