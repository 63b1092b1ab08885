import type { Story } from '../doc-story.ts';

/** A page that was read this morning; the shop of the docs can't be called. */
export const story: Story = async ({ app, site }) => {
  await app.app.database.pool.query(
    `with source as (
       insert into knowledge_sources (site_id, kind, address, host, next_read_at, created_at)
       values ($1, 'page', 'https://shop.example/returns', 'shop.example', now() + interval '20 hours', now())
       returning site_id, id, address)
     insert into knowledge_documents
       (site_id, source_id, address, url, title, body, state, bytes, passages, uses, last_used_at, read_at, created_at)
     select site_id, id, address, address, 'Sending something back', 'You can send anything back within 30 days.',
       'ready', 18204, 3, 12, now(), now(), now() from source`,
    [site.site.id],
  );
  return {};
};
