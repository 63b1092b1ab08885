// A bot of your own for Foyer: node own-bot.mjs
//
// FOYER_URL              https://chat.example.com
// FOYER_TOKEN            an API token with the scopes conversation_messages:write,conversations:write
// FOYER_WEBHOOK_SECRET   the secret of the webhook that sends bot_turn_requested to this program
// PORT                   where it listens
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { FOYER_URL, FOYER_TOKEN, FOYER_WEBHOOK_SECRET, PORT = '8080' } = process.env;

const ANSWERS = [
  [/open|hours/i, 'We are here **Monday to Friday, 9 to 17**.'],
  [/return|send back/i, 'You can return anything within 30 days.'],
];

const call = (method, path, body) =>
  fetch(`${FOYER_URL}/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${FOYER_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** The same turn has the same id: a delivery that comes twice is answered once. */
function clientIdOf({ session_id, seq }) {
  const hex = createHash('sha256').update(`${session_id}:${seq}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

async function takeTurn(turn) {
  const said = turn.messages.at(-1).text;
  const answer = ANSWERS.find(([words]) => words.test(said))?.[1];
  const response = answer
    ? await call('POST', 'conversation_messages', {
        session_id: turn.session_id,
        sender: 'bot',
        text: answer,
        client_id: clientIdOf(turn),
      })
    : /^(thanks|thank you)/i.test(said)
      ? // Nothing to say: keeps the chat, so that nobody is called.
        await call('PATCH', `conversations?session_id=${turn.session_id}`, { status: 'bot' })
      : await call('PATCH', `conversations?session_id=${turn.session_id}`, {
          status: 'waiting',
          handoff_reason: 'no_answer',
          handoff_note: 'The shop’s bot had no answer.',
        });
  // 409: a person has the chat by now, and the bot is silent.
  if (!response.ok && response.status !== 409) throw new Error(await response.text());
}

function isFromFoyer(body, signature = '') {
  const expected = `sha256=${createHmac('sha256', FOYER_WEBHOOK_SECRET).update(body).digest('hex')}`;
  return (
    signature.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected))
  );
}

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (!isFromFoyer(body, request.headers['x-service-signature'])) return response.writeHead(401).end();
  const event = JSON.parse(body);
  try {
    if (event.event === 'bot_turn_requested') await takeTurn(event);
    response.writeHead(204).end();
  } catch (error) {
    console.error(error);
    response.writeHead(500).end();
  }
}).listen(Number(PORT), function () {
  console.log(`listening on ${this.address().port}`);
});
