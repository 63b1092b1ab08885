const inAttribute = (text: string): string => text.replace(/[&"<>]/g, (char) => `&#${char.charCodeAt(0)};`);

/** The snippet for a page: a queue for calls made before the SDK has loaded, then the SDK itself. */
export const snippet = (baseUrl: string, publicKey: string): string =>
  [
    '<script>window.svc=window.svc||function(){(svc.q=svc.q||[]).push(arguments)}</script>',
    `<script async src="${inAttribute(baseUrl)}/assets/js/visitor-sdk.js" data-site="${inAttribute(publicKey)}"></script>`,
  ].join('\n');
