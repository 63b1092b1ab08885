const inAttribute = (text: string): string => text.replace(/[&"<>]/g, (char) => `&#${char.charCodeAt(0)};`);

/** What a site's owner puts into a page: the queue for early calls, then the script (decisions 6). */
export const snippet = (baseUrl: string, publicKey: string): string =>
  [
    '<script>window.svc=window.svc||function(){(svc.q=svc.q||[]).push(arguments)}</script>',
    `<script async src="${inAttribute(baseUrl)}/assets/js/visitor-sdk.js" data-site="${inAttribute(publicKey)}"></script>`,
  ].join('\n');
