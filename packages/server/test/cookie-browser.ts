let browsers = 0;

/** A browser without scripts: it stores cookies by host and follows redirects, as far as a test wants. */
export class CookieBrowser {
  /** Limits count each browser separately if the server trusts this address. */
  readonly #address = `10.0.${Math.floor(++browsers / 250)}.${browsers % 250}`;
  readonly #cookies = new Map<string, Map<string, string>>();

  /** The cookies that it would send there. */
  cookiesFor(url: string): string {
    const jar = this.#cookies.get(new URL(url).hostname) ?? new Map<string, string>();
    return [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async request(url: string, form?: Record<string, string>): Promise<Response> {
    const cookie = this.cookiesFor(url);
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { 'x-forwarded-for': this.#address, ...(cookie && { cookie }) },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    const { hostname } = new URL(url);
    const jar = this.#cookies.get(hostname) ?? new Map<string, string>();
    this.#cookies.set(hostname, jar);
    for (const cookieSet of response.headers.getSetCookie()) {
      const [pair = ''] = cookieSet.split(';');
      const at = pair.indexOf('=');
      const isGone = /expires=Thu, 01 Jan 1970|max-age=0/i.test(cookieSet);
      if (isGone) jar.delete(pair.slice(0, at));
      else jar.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return response;
  }

  /**
   * Follows redirects to a page, or to an address for which `stop` returns true.
   * @returns the last address, and the page; undefined if it stopped before
   */
  async open(
    url: string,
    { form, stop = () => false }: { form?: Record<string, string>; stop?: (url: string) => boolean } = {},
  ): Promise<{ url: string; response: Response | undefined }> {
    let response = await this.request(url, form);
    let at = url;
    while (response.status >= 300 && response.status < 400) {
      at = new URL(response.headers.get('location') ?? '', at).href;
      if (stop(at)) return { url: at, response: undefined };
      response = await this.request(at);
    }
    return { url: at, response };
  }
}
