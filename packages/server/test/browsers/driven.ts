import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** A reference to an element: https://www.w3.org/TR/webdriver2/#elements */
export type Element = Record<typeof ELEMENT, string>;
export const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/** The WebDriver commands in use, over any protocol. Each fails with the browser's message. */
export interface Commands {
  navigate(url: string): Promise<void>;
  resize(width: number, height: number): Promise<void>;
  /** Runs the body of a function with the arguments. */
  execute<T>(script: string, args: unknown[]): Promise<T>;
  /** Resolves when the script calls its last argument. */
  executeAsync(script: string): Promise<void>;
  click(id: string): Promise<void>;
  sendKeys(id: string, text: string): Promise<void>;
  textOf(id: string): Promise<string>;
  /** Null for the page itself. */
  switchToFrame(frame: Element | null): Promise<void>;
  /** A PNG in base64. */
  screenshot(): Promise<string>;
}

/** A running browser, and commands for its window. */
export interface RunningBrowser {
  commands: Commands;
  close(): Promise<void>;
}

/** The Enter key: https://www.w3.org/TR/webdriver2/#keyboard-actions */
const ENTER = '\uE007';
/** Only to end a hang: a busy machine takes seconds to start a page. */
const FOUND_WITHIN_MS = 60_000;

/** Also searches shadow roots. Of several matches, the first visible one. */
const FIND = `
  const [selector, text] = arguments;
  const all = (root) => [...root.querySelectorAll('*')].flatMap((one) => [one, ...(one.shadowRoot ? all(one.shadowRoot) : [])]);
  const textsOf = (one) => [one.getAttribute('aria-label'), one.labels?.[0]?.textContent, one.placeholder, one.textContent];
  const fits = (one) => one.matches(selector) && textsOf(one).some((shown) => shown?.includes(text)) && one.checkVisibility();
  return all(document).find(fits) ?? null;`;

const TWO_FRAMES = `
  const [done] = arguments;
  requestAnimationFrame(() => requestAnimationFrame(() => done()));`;

/** A browser's window, used by labels and texts alone. */
export function windowOf(commands: Commands) {
  const find = async (selector: string, text = ''): Promise<Element> => {
    const deadline = Date.now() + FOUND_WITHIN_MS;
    while (Date.now() < deadline) {
      // A page that is unloading has no elements.
      const found = await commands.execute<Element | null>(FIND, [selector, text]).catch(() => null);
      if (found) return found;
      await delay(50);
    }
    const shown = await commands.execute<string>('return document.body.innerText', []).catch(String);
    throw new Error(`no ${selector} with “${text}” in: ${shown.slice(0, 1_000)}`);
  };
  return {
    open: commands.navigate,
    resize: commands.resize,
    /** Waits for a visible element of the selector whose label or text contains the text. @returns its text */
    see: async (selector: string, text?: string) => commands.textOf((await find(selector, text))[ELEMENT]),
    click: async (selector: string, text?: string) => commands.click((await find(selector, text))[ELEMENT]),
    /** Types into the field with this label. */
    async type(selector: string, label: string, text: string): Promise<void> {
      await commands.sendKeys((await find(selector, label))[ELEMENT], text);
    },
    /** Types, and presses Enter; in two commands, because Firefox doesn't render within one. */
    async enter(selector: string, label: string, text: string): Promise<void> {
      const { [ELEMENT]: field } = await find(selector, label);
      await commands.sendKeys(field, text);
      await commands.sendKeys(field, ENTER);
    },
    /** Enters a frame of the page. Opening a page leaves it. */
    goInto: async (selector: string) => commands.switchToFrame(await find(selector)),
    /** Leaves frames and, if `SCREENSHOTS=true`, takes a screenshot. */
    async picture(file: string): Promise<void> {
      // Firefox takes no screenshot of a frame.
      await commands.switchToFrame(null);
      if (process.env.SCREENSHOTS !== 'true') return;
      // The display may be a frame behind.
      await commands.executeAsync(TWO_FRAMES);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, Buffer.from(await commands.screenshot(), 'base64'));
    },
  };
}

export type DrivenWindow = ReturnType<typeof windowOf>;
