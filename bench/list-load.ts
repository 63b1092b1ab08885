import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { answerParent } from './child.ts';

/** The client of `lists.ts` and `search.ts`: sends requests in turn on keep-alive connections and times each. */
export interface Asked {
  path: string;
  token: string;
}
export interface Timed {
  /** Responses a second. */
  rate: number;
  /** Milliseconds of each response, by the index of its request in `asked`. */
  times: number[][];
  /** How many of them failed, by the same index. */
  failures: number[];
}
interface Question {
  run: { url: string; asked: Asked[]; connections: number; rounds: number };
}

/** Reads responses: calls back once all of a body has arrived. */
function answersOf(socket: Socket, answered: (status: string) => void): void {
  let head = '';
  let left = -1;
  socket.on('data', (data) => {
    if (left >= 0) left -= data.length;
    else {
      head += data.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      left = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0) - (head.length - end - 4);
    }
    if (left > 0) return;
    const status = head.slice(9, 12);
    head = '';
    left = -1;
    answered(status);
  });
}

async function run({ url, asked, connections, rounds }: Question['run']): Promise<Timed> {
  const { hostname, port, host } = new URL(url);
  const requests = asked.map(
    ({ path, token }) => `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\n\r\n`,
  );
  const times: number[][] = asked.map(() => []);
  const total = requests.length * rounds;
  const failures = asked.map(() => 0);
  let next = 0;
  const worker = async (): Promise<void> => {
    const socket = connect(Number(port), hostname).setNoDelay();
    await once(socket, 'connect');
    let answered: (status: string) => void = () => undefined;
    answersOf(socket, (status) => answered(status));
    while (next < total) {
      const at = next++ % requests.length;
      const from = performance.now();
      const status = await new Promise<string>((resolve, reject) => {
        answered = resolve;
        socket.once('error', reject);
        socket.once('close', () => reject(new Error('the connection was closed')));
        socket.write(requests[at] ?? '');
      });
      socket.removeAllListeners('error').removeAllListeners('close');
      if (status !== '200') {
        console.error(`${asked[at]?.path} answered ${status}`);
        failures[at] = (failures[at] ?? 0) + 1;
      }
      times[at]?.push(performance.now() - from);
    }
    socket.destroy();
  };
  const from = performance.now();
  await Promise.all(Array.from({ length: connections }, worker));
  return { rate: (total / (performance.now() - from)) * 1000, times, failures };
}

answerParent<Question>((question) => run(question.run));
