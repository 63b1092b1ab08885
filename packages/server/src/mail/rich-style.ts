/** Styles for formatted text in mails. Programs that ignore them show plain elements. */
export const RICH_STYLE = [
  '.said>:first-child{margin-top:0}',
  '.said>:last-child{margin-bottom:0}',
  '.said blockquote{margin:12px 0;padding:0 12px;border-inline-start:3px solid #9993}',
  '.said pre{padding:12px;border-radius:8px;background:#9992;white-space:pre-wrap}',
  '.said img{max-width:100%;height:auto}',
  '.said table{border-collapse:collapse}',
  '.said :is(th,td){padding:6px 12px 6px 0;border-bottom:1px solid #9995;text-align:start;vertical-align:top}',
].join('');
