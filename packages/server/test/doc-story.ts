import { randomUUID } from 'node:crypto';
import type { Message } from '@foyer/protocol';
import type { TestApp, TestSite } from './app.ts';
import { until } from './harness.ts';
import { TestSocket } from './sockets.ts';

/** What must have happened before a section of docs/rest.md can show its answers, by the section's title. */
export type Story = Record<string, () => Promise<void>>;

/** A bot that has one article has nothing to tell it from. */
const OTHER_ARTICLES = [
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

/** The shop of the pages: some tags, an old article, Maya's chat, and a second one for the receiver. */
export function createStory(app: TestApp, site: TestSite): Story {
  const post = async (resource: string, body: object): Promise<void> => {
    const { status } = await app.rest(site.write, 'POST', `/v1/${resource}`, body);
    if (status > 201) throw new Error(`${resource} answered ${status}`);
  };

  const openChat = async () => {
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
  };

  return {
    async Lists() {
      for (const name of ['press', 'delivery', 'returns']) await post('tags', { name });
    },

    conversation_starters: () =>
      post('conversation_starters', { label: 'Delivery', prompt: 'How long does delivery take?' }),

    articles: () =>
      post('articles', {
        title: 'Opening hours in 2025',
        category: 'Shop',
        status: 'Archived',
        body: 'Until 18:00.',
      }),

    async handoffs() {
      const maya = { key: 'user_42', email: 'maya@example.com', name: 'Maya Fischer', plan: 'pro' };
      await post('visitors', maya);
      for (const [title, body] of OTHER_ARTICLES)
        await post('articles', { title, body, status: 'Published' });
      await post('track', { key: 'user_42', name: 'checkout_started', properties: { total: 89.5 } });
      const agent = await TestSocket.agent(app.url, await app.signIn(site.admin.email));
      const { socket, say, id } = await openChat();
      await say('How many days do I have to return an item?');
      await say('Can I talk to a person?');
      await agent.call('sessions.accept', { session_id: id() });
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
    },

    webhook_subscriptions: () =>
      post('webhook_subscriptions', { url: 'https://old.example/hook', events: ['feedback'] }),

    async webhook_deliveries() {
      const { socket, say } = await openChat();
      await say('Is the Aurora lamp dimmable?');
      await say('I want to talk to a person');
      socket.cut();
      await until(async () => {
        const { body } = await app.rest(site.read, 'GET', '/v1/webhook_deliveries?status=delivered');
        return body.data.length > 0;
      });
    },
  };
}
