const BUBBLE = 'M12 3c-5 0-9 3.6-9 8 0 2 .8 3.9 2.2 5.3L4 21l5-2.4q1.5.4 3 .4c5 0 9-3.6 9-8s-4-8-9-8z';
const CHEVRON = 'M12 16.5 4.5 9l1.8-1.8L12 12.9l5.7-5.7L19.5 9z';

/** Without unnecessary spaces: the SDK's size is measured uncompressed. */
export const LAUNCHER_STYLE = [
  'button{all:unset;display:flex;align-items:center;height:56px;border-radius:28px;cursor:pointer;background:var(--c);color:var(--i);forced-color-adjust:none;outline:1px solid #0000;box-shadow:0 4px 20px #10201f4d}',
  'button,iframe{position:fixed;right:16px;bottom:16px;margin-bottom:env(safe-area-inset-bottom)}',
  'button:focus-visible{outline:3px solid var(--c);outline-offset:3px;box-shadow:0 0 0 3px #fff}',
  `i{width:24px;height:24px;margin:16px;scale:1.1;background:var(--i);clip-path:path("${BUBBLE}")}`,
  'u,b{font:600 15px/20px system-ui;text-decoration:none}',
  'u{max-width:calc(100vw - 140px);margin:0 20px 0 -4px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}',
  'img{width:40px;height:40px;margin:8px;border-radius:50%;object-fit:contain}',
  'b{position:absolute;top:-4px;right:-4px;min-width:10px;padding:0 5px;border-radius:12px;background:#c81e1e;color:#fff;font-size:12px;text-align:center;box-shadow:0 0 0 2px #fff}',
  'iframe{bottom:88px;width:400px;height:640px;max-height:calc(100% - 104px);border:0;border-radius:16px;outline:1px solid #0000;color-scheme:var(--s);background:canvas;box-shadow:0 8px 48px #10201f40;visibility:hidden;opacity:0;transition:.12s}',
  ':host(.o) iframe{visibility:visible;opacity:1}',
  `:host(.o) i{display:block!important;clip-path:path("${CHEVRON}")}`,
  ':host(.l) :is(button,iframe){right:auto;left:16px}',
  ':host(.h) *,:host(.o) :is(img,u),[hidden],img:not([hidden])+i{display:none!important}',
  '@media(max-width:479.9px),(max-height:479.9px){iframe{inset:0!important;margin:0;width:100%;height:100%;max-height:none;border-radius:0}:host(.o) button{display:none}}',
  '@media(prefers-reduced-motion){iframe{transition:none}}',
].join('');
