/** `mso-list:l0 level2 lfo1` in the style of a paragraph that Word shows as an item. */
const LEVEL = /mso-list:\s*l\d+\s+level(\d)/i;
const NUMBER = /^[\s\u00a0]*(?:\d+|[a-z]|[ivxlcdm]+)[.)]/i;

interface Item {
  paragraph: HTMLElement;
  level: number;
  ordered: boolean;
  start: number;
}

/** The paragraph as a list item, without the marker that Word writes into it. */
function itemOf(element: Element | null): Item | undefined {
  const level = LEVEL.exec(element?.getAttribute('style') ?? '')?.[1];
  if (!(element instanceof HTMLElement) || level === undefined || element.matches('li')) return undefined;
  const mark = [...element.querySelectorAll<HTMLElement>('span')].find((span) =>
    /mso-list:\s*ignore/i.test(span.getAttribute('style') ?? ''),
  );
  const shown = mark?.textContent ?? element.textContent ?? '';
  return {
    paragraph: element,
    level: Number(level),
    ordered: NUMBER.test(shown),
    start: Number.parseInt(shown.trim(), 10) || 1,
  };
}

function removeMark({ paragraph }: Item): void {
  const marks = paragraph.querySelectorAll<HTMLElement>('span');
  for (const span of marks) if (/mso-list:\s*ignore/i.test(span.getAttribute('style') ?? '')) span.remove();
}

function listFor({ ordered, start }: Item, document: Document): HTMLElement {
  const list = document.createElement(ordered ? 'ol' : 'ul');
  if (ordered && start > 1) list.setAttribute('start', String(start));
  return list;
}

/** Consecutive items, nested by their levels. */
function nest(items: readonly Item[]): HTMLElement[] {
  const roots: HTMLElement[] = [];
  const open: { list: HTMLElement; level: number; ordered: boolean }[] = [];
  for (const item of items) {
    while ((open.at(-1)?.level ?? 0) > item.level) open.pop();
    const last = open.at(-1);
    if (last?.level === item.level && last.ordered !== item.ordered) open.pop();
    if (open.at(-1)?.level !== item.level) {
      const list = listFor(item, item.paragraph.ownerDocument);
      const within = open.at(-1)?.list.lastElementChild;
      if (within) within.append(list);
      else roots.push(list);
      open.push({ list, level: item.level, ordered: item.ordered });
    }
    removeMark(item);
    const entry = item.paragraph.ownerDocument.createElement('li');
    entry.append(...item.paragraph.childNodes);
    open.at(-1)?.list.append(entry);
  }
  return roots;
}

/** Word's lists are paragraphs with a marker in their text and a level in their style. Turns them into lists. */
export function listsOfWord(root: Element): void {
  for (const element of root.querySelectorAll('p, h1, h2, h3, h4, h5, h6, div')) {
    const items: Item[] = [];
    for (let item = itemOf(element); item; item = itemOf(item.paragraph.nextElementSibling)) items.push(item);
    const [first] = items;
    if (!first || !element.isConnected) continue;
    const lists = nest(items);
    first.paragraph.before(...lists);
    for (const { paragraph } of items) paragraph.remove();
  }
}
