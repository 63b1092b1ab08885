import { createClient } from '@foyer/client';
import {
  contract,
  type Feedback,
  type Handoff,
  type InputOf,
  type OperationName,
  type OutputOf,
  type Reply,
  type Ticket,
  type Transcript,
} from '@foyer/protocol';
import { deskTools } from '../src/http/mcp/tools.ts';
import { connectMcp } from './mcp-client.ts';

/** What an automation does at the desk after a handoff, through either entry point. */
export interface Desk {
  handoffs(since: string): Promise<Handoff[]>;
  transcript(sessionId: string): Promise<Transcript>;
  makeTicket(input: InputOf<'tickets.create'>): Promise<Ticket>;
  reply(input: InputOf<'ticket_replies.create'>): Promise<Reply>;
  snooze(ticketId: number, minutes: number): Promise<Ticket>;
  /** Bulk changes: a tag, or a macro. */
  change(input: InputOf<'tickets_bulk.change'>): Promise<OutputOf<'tickets_bulk.change'>>;
  track(input: InputOf<'track.create'>): Promise<OutputOf<'track.create'>>;
  feedback(since: string): Promise<Feedback[]>;
  close(): Promise<void>;
}

/** Over REST, with the typed client. */
export async function openRestDesk(url: string, token: string): Promise<Desk> {
  const foyer = createClient({ baseUrl: url, token });
  return {
    handoffs: async (since) => (await foyer.handoffs.list({ since })).items,
    transcript: (sessionId) => foyer.transcripts.get({ sessionId }),
    makeTicket: (input) => foyer.tickets.create(input),
    reply: (input) => foyer.ticketReply.create(input),
    snooze: (ticket_id, minutes) => foyer.ticketSnooze.set({ ticket_id, minutes }),
    change: (input) => foyer.ticketsBulk.change(input),
    track: (input) => foyer.track.create(input),
    feedback: async (since) => (await foyer.feedback.list({ since })).items,
    close: async () => undefined,
  };
}

/** Over MCP, with the official client; each response is checked against the contract of its operation. */
export async function openMcpDesk(url: string, token: string): Promise<Desk> {
  const desk = await connectMcp(url, token);
  await desk.tools();
  const run = async <N extends OperationName>(name: N, input: InputOf<N>): Promise<OutputOf<N>> => {
    const tool = [...deskTools.values()].find(({ operation }) => operation.name === name);
    if (!tool) throw new Error(`${name} is no tool`);
    const answer = await desk.call(tool.listed.name, { ...input });
    if (answer.isError) throw new Error(answer.text);
    return contract[name].output.parse(answer.data) as OutputOf<N>;
  };
  return {
    handoffs: async (since) => (await run('handoffs.list', { since })).items,
    transcript: (sessionId) => run('transcripts.get', { sessionId }),
    makeTicket: (input) => run('tickets.create', input),
    reply: (input) => run('ticket_replies.create', input),
    snooze: (ticket_id, minutes) => run('ticket_snoozes.set', { ticket_id, minutes }),
    change: (input) => run('tickets_bulk.change', input),
    track: (input) => run('track.create', input),
    feedback: async (since) => (await run('feedback.list', { since })).items,
    close: () => desk.close(),
  };
}
