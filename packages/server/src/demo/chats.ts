import {
  answerAs,
  ask,
  callPerson,
  deskOf,
  endAndRate,
  enter,
  type Guest,
  run,
  type Stage,
} from './stage.ts';

const MIRA: Guest = { key: 'demo-mira', name: 'Mira Lindqvist', email: 'mira@visitor.example' };
const JONAS: Guest = { key: 'demo-jonas', name: 'Jonas Weber', email: 'jonas@visitor.example' };
const INES: Guest = { key: 'demo-ines', name: 'Inês Duarte', email: 'ines@visitor.example' };
const PRIYA: Guest = { key: 'demo-priya', name: 'Priya Nair', email: 'priya@visitor.example' };

/** A chat that the bot handles alone. */
async function answered(stage: Stage): Promise<void> {
  const mira = await enter(stage, MIRA);
  const chat = await ask(mira, 'How long does delivery take?');
  await ask(mira, 'And how do I return something?', chat);
  await endAndRate(mira, chat, { rating: 5, comment: 'Quick and clear, thank you!' });
}

/** A chat that a person takes over. */
async function handedOver(stage: Stage): Promise<void> {
  const jonas = await enter(stage, JONAS);
  const chat = await ask(jonas, 'Do you make curtains to measure?');
  await callPerson(jonas, chat);
  await answerAs(
    stage,
    chat,
    'Hi Jonas! We do. Which window are they for? I can send you fabric samples first.',
    'cleo',
  );
  await ask(jonas, 'Samples would be lovely, thanks.', chat);
  await endAndRate(jonas, chat, { rating: 4, comment: 'Friendly. I had to wait a moment.' });
}

/** A chat that its agent has snoozed. */
export async function snoozeDemoChat(stage: Stage): Promise<void> {
  const ines = await enter(stage, INES);
  const chat = await ask(ines, 'When are the sage cushions back?');
  await callPerson(ines, chat);
  await answerAs(stage, chat, 'Hi Inês! They come in this week. I’ll tell you here once I have them.');
  const until = new Date();
  until.setUTCDate(until.getUTCDate() + 2);
  until.setUTCHours(9, 0, 0, 0);
  await run(deskOf(stage), 'sessions.snooze', { session_id: chat, until_utc: until.toISOString() });
}

/** A chat that waits for a person. */
async function waiting(stage: Stage): Promise<void> {
  const priya = await enter(stage, PRIYA);
  const chat = await ask(priya, 'My lamp arrived with a cracked shade. What can I do?');
  await callPerson(priya, chat);
}

/** Three example chats of the current minute, created with the same operations as real ones. */
export async function holdDemoChats(stage: Stage): Promise<void> {
  await answered(stage);
  await handedOver(stage);
  await waiting(stage);
}
