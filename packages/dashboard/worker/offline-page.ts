import { workerLanguage, workerWords } from './words.ts';

const TRY_AGAIN_S = 10;
const POLICY = `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'`;

/** Says that there is no line instead of showing an old desk: a list from before would look like the present one. */
export async function offlinePage(): Promise<Response> {
  const language = await workerLanguage();
  const { offline_title, offline_text, offline_again } = workerWords(language);
  const html = `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta http-equiv="refresh" content="${TRY_AGAIN_S}"><title>${offline_title}</title>
<style>body{margin:0;min-height:100dvh;display:grid;place-items:center;font:15px/22px system-ui,sans-serif;background:light-dark(#fff,#141717);color:light-dark(#1b2020,#e9eded)}
main{max-width:26rem;padding:24px}h1{font-size:18px;line-height:26px;margin:0 0 8px}p{margin:0 0 20px}
a{display:inline-block;padding:9px 16px;border-radius:8px;background:#0f6b68;color:#fff;font-weight:600;text-decoration:none}</style></head>
<body><main><h1>${offline_title}</h1><p>${offline_text}</p><a href="">${offline_again}</a></main></body></html>`;
  return new Response(html, {
    status: 503,
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY },
  });
}
