import { test, beforeAll, afterAll } from 'vitest';
import { openGround, type Ground } from '/work/main/packages/server/test/ground.ts';
import { importArticles } from '/work/main/packages/server/src/knowledge/import.ts';
import { parseImport } from '/work/main/packages/server/src/knowledge/import-text.ts';
import { createSiteIndexes } from '/work/main/packages/server/src/knowledge/site-indexes.ts';
let g: Ground;
beforeAll(async()=>{ g = await openGround(); }); afterAll(()=>g.close());
test('worst', async () => {
  const ctx = await g.makeSite();
  let blob=''; let i=0; while (blob.length < 5*1024*1024-30) blob += `# a${i++}\n---\n`;
  let t=Date.now(); parseImport(blob); console.log('docs', i, 'parse', Date.now()-t);
  for (const w of ['create','again']) { t=Date.now(); const r=await importArticles(ctx, blob); console.log(w, Date.now()-t, {...r, failed: r.failed.length}); }
  const ctx2 = await g.makeSite();
  blob=''; i=0; while (blob.length < 5*1024*1024-2000) blob += `status: Published\n---\n# article ${i++}\n\n${('some words about thing'+i+' here. ').repeat(30)}\n---\n`;
  t=Date.now(); let r=await importArticles(ctx2, blob); console.log('real', i, Date.now()-t, {...r, failed: r.failed.length});
  t=Date.now(); const ix=createSiteIndexes({db:g.db,maxSites:3}); await ix.indexOf(ctx2.site.id); console.log('index', Date.now()-t);
  t=Date.now(); r=await importArticles(ctx2, blob.replaceAll('some words','other words')); console.log('real upd', Date.now()-t, {...r, failed: r.failed.length});
  t=Date.now(); await ix.indexOf(ctx2.site.id); console.log('reindex', Date.now()-t);
}, 300000);
