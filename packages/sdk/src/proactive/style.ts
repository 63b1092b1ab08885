/**
 * The bubble's style. Colours are the browser's own for the scheme that the site has chosen, which also serves high
 * contrast; only what sends is in the site's colour.
 */
export const BUBBLE_STYLE = `
:host{all:initial;position:fixed;right:16px;bottom:88px;width:min(340px,100vw - 32px);margin-bottom:env(safe-area-inset-bottom);color-scheme:var(--s)}
:host(.l){right:auto;left:16px}
:host(.b){bottom:16px}
*{box-sizing:border-box}
[hidden]{display:none!important}
section{display:flex;flex-direction:column;gap:12px;max-height:calc(100vh - 104px);padding:16px;border-radius:16px;outline:1px solid color-mix(in srgb,canvastext 14%,transparent);background:canvas;color:canvastext;box-shadow:0 8px 48px #10201f40;font:15px/22px system-ui,sans-serif;overflow-wrap:anywhere}
header{display:flex;align-items:center;gap:8px}
header b{flex:1;min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;font-weight:600}
header b span{margin-inline-start:6px;padding:1px 6px;border-radius:4px;background:color-mix(in srgb,canvastext 10%,transparent);font-size:12px;font-weight:500}
i,img{flex:none;width:32px;height:32px;border-radius:50%;object-fit:cover}
i{display:grid;place-items:center;background:var(--c);color:var(--i);font-style:normal;font-weight:600;forced-color-adjust:none}
button,textarea{font:inherit;color:inherit;border:0;background:none}
button{flex:none;display:grid;place-items:center;width:36px;height:36px;padding:0;border-radius:10px;cursor:pointer}
header button{margin:-4px;margin-inline-start:0}
button:hover{background:color-mix(in srgb,canvastext 8%,transparent)}
svg{width:20px;height:20px;fill:none;stroke:currentcolor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
[dir=rtl] form svg{scale:-1 1}
.text{overflow:auto;min-height:22px}
p,ul,ol,blockquote,pre{margin:0 0 8px}
.text>:last-child{margin-bottom:0}
ul,ol{padding-inline-start:20px}
blockquote{padding-inline-start:10px;border-inline-start:3px solid color-mix(in srgb,canvastext 20%,transparent)}
pre{white-space:pre-wrap}
code,pre{font:13px/20px ui-monospace,monospace}
a{color:inherit;text-underline-offset:2px}
form{display:flex;align-items:flex-end;gap:4px;padding:3px;border-radius:12px;outline:1px solid color-mix(in srgb,canvastext 45%,transparent)}
textarea{flex:1;min-width:0;max-height:110px;padding:7px 9px;resize:none;field-sizing:content;outline:0}
[dir=rtl] textarea:placeholder-shown{direction:rtl}
textarea::placeholder{color:color-mix(in srgb,canvastext 65%,transparent);opacity:1}
form button{background:var(--c);color:var(--i);forced-color-adjust:none}
form button:hover{background:var(--c)}
form:focus-within,button:focus-visible,a:focus-visible{outline:2px solid var(--c);outline-offset:1px}
@media(prefers-reduced-motion:no-preference){section{animation:in .14s ease-out}}
@keyframes in{from{opacity:0;translate:0 8px}}
`;
