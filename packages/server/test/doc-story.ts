import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Message } from '@foyer/protocol';
import type { Json, TestApp, TestSite } from './app.ts';
import { TestSocket } from './sockets.ts';

// How a page of docs/rest gets the records in its responses: each page runs alone, on a new site. Records that must
// exist before its first example are created by `doc-stories/<resource>.ts` (in kebab case: `ticket-reply.ts`), if any:
//
//     export const story: Story = async ({ post }) => {
//       const ticket = await post('tickets', { subject: 'Lamp', body: '…', requester: { key: 'user_42' } });
//       return { tickets: [ticket.id] };
//     };
//
// It returns ids of records that a request of the page names before a response shows them, by resource (a chat's is
// `session`), in the order of the page. Ids that a response shows need nothing: from there on the page's id is
// replaced by the real one.

export interface StoryWorld {
  app: TestApp;
  site: TestSite;
  /** Where a webhook can be sent; the pages call it `https://crm.example/foyer`. */
  receiver: string;
  /** Posts with the site's write token and returns `data`. */
  post(resource: string, body: object): Promise<Json>;
}

export type KnownIds = Readonly<Record<string, readonly (number | string)[]>>;
export type Story = (world: StoryWorld) => Promise<KnownIds>;

/** Creates what the page of that name needs. */
export async function tellStory(page: string, place: Omit<StoryWorld, 'post'>): Promise<KnownIds> {
  const { app, site } = place;
  const file = new URL(`doc-stories/${page.toLowerCase().replaceAll('_', '-')}.ts`, import.meta.url);
  if (!existsSync(file)) return {};
  const { story }: { story: Story } = await import(file.href);
  const post: StoryWorld['post'] = async (resource, body) => {
    const answer = await app.rest(site.write, 'POST', `/v1/${resource}`, body);
    if (answer.status > 201) throw new Error(`${resource}: ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  };
  return story({ ...place, post });
}

/** With one article only, a bot has nothing to distinguish it from. */
const ARTICLES = [
  [
    'Returning an item',
    'You can return anything within 30 days of delivery. Return shipping is free.\n\n## What you need\n\nThe order number.',
  ],
  [
    'Delivery times',
    'Standard delivery takes two to four working days. Express delivery arrives the next day.',
  ],
  [
    'Ways to pay',
    'You can pay by card, by bank transfer or on account. We charge when the parcel leaves us.',
  ],
  ['Warranty on lamps', 'Every lamp has a warranty of three years. Send us a photo of the fault.'],
  ['Gift cards', 'A gift card is valid for five years. Enter its code in the basket.'],
];

interface Sent {
  session: { session_id: string } | null;
  message: Message;
}

/** Maya, the shop's articles, and her chat in the widget: `say` waits for the answer. */
export async function openChat({ app, site, post }: StoryWorld) {
  await post('visitors', { key: 'user_42', email: 'maya@example.com', name: 'Maya Fischer', plan: 'pro' });
  for (const [title, body] of ARTICLES) await post('articles', { title, body, status: 'Published' });
  const { socket } = await TestSocket.visitor(app.url, site.publicKey, { key: 'user_42' });
  let sessionId = '';
  const say = async (text: string): Promise<Message> => {
    const sent = (await socket.call('chat.send', {
      session_id: sessionId || null,
      client_id: randomUUID(),
      text,
      page_url: 'https://shop.example/lamps/aurora',
    })) as Sent;
    if (sent.session) {
      sessionId = sent.session.session_id;
      await socket.subscribe(sessionId);
    }
    const { seq } = sent.message;
    const next = await socket.next('message', ({ message }) => message.seq > seq);
    return next.message;
  };
  return { socket, say, id: () => sessionId };
}

/** A complete chat of Maya's: a question, a handoff, an answer, the end, a rating. Returns its `session_id`. */
export async function mayasChat(world: StoryWorld): Promise<string> {
  const { app, site } = world;
  const agent = await TestSocket.agent(app.url, await app.signIn(site.admin.email));
  const { socket, say, id } = await openChat(world);
  await say('How many days do I have to return an item?');
  await say('Can I talk to a person?');
  await agent.call('sessions.accept', { session_id: id() });
  await world.post('tags', { name: 'returns' });
  await agent.call('sessions.set_tags', { session_id: id(), tags: ['returns'] });
  await agent.call('sessions.reply', {
    session_id: id(),
    client_id: randomUUID(),
    text: 'Hi Maya, what would you like to send back?',
  });
  await socket.call('chat.end', { session_id: id() });
  await socket.call('chat.rate', { session_id: id(), rating: 5, comment: 'Quick and friendly' });
  socket.cut();
  agent.cut();
  return id();
}
