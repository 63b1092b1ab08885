import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import type { SlaState } from '../../db/column-types.ts';
import { notifyDue, settleDue } from '../../notifications/notify.ts';
import { type Applying, isUrgent, slaAfter } from '../../sla/due-times.ts';
import { presentSla } from '../../sla/present.ts';
import { findPolicy } from '../../sla/standing.ts';
import type { SlaColumns, SlaEvent, SlaFacts } from '../../sla/state.ts';
import type { SessionRow } from '../sessions.ts';

/** The SLA state that is stored with a chat. */
interface Kept {
  version: number;
  /** Since when the team has had it. */
  since: Date;
  changed_at: Date | null;
  read_seq: number;
  replied_at: Date | null;
  /** Null: nothing is stored yet. */
  created_at: Date | null;
}

const readKept = async ({ db, site }: SiteContext, chat: SessionRow): Promise<Kept> => {
  const { rows } = await sql<Kept>`
    select t.sla_version as version, s.changed_at, coalesce(s.read_seq, 0) as read_seq, s.replied_at, s.created_at,
      coalesce((select min(h.created_at) from handoffs h where h.site_id = t.id and h.conversation_id = ${chat.id}),
        ${chat.started_at}) as since
    from sites t left join chat_slas s on s.site_id = t.id and s.conversation_id = ${chat.id}
    where t.id = ${site.id}`.execute(db);
  const [kept] = rows;
  if (!kept) throw new Error('a chat without a site');
  return kept;
};

/** A message of a person. */
interface Said {
  seq: number;
  sender: 'visitor' | 'agent';
  created_at: Date;
}

/** The messages of people since the clock last read the chat, from its handoff to the team on. */
const readSaid = async ({ db, site }: SiteContext, chat: SessionRow, kept: Kept): Promise<Said[]> => {
  const { rows } = await sql<Said>`
    select seq, sender, created_at from messages
    where site_id = ${site.id} and conversation_id = ${chat.id} and seq > ${kept.read_seq}
      and sender in ('visitor', 'agent') and created_at >= ${kept.since}
    order by seq`.execute(db);
  return rows;
};

const lastReply = (said: readonly Said[]): Date | null =>
  said.findLast(({ sender }) => sender === 'agent')?.created_at ?? null;

async function applyingTo(tx: SiteContext, chat: SessionRow, version: number): Promise<Applying | undefined> {
  if (chat.spam_at !== null) return undefined;
  return findPolicy(tx, version, {
    kind: 'chats',
    // As where chats and tickets are sorted together.
    priority: 'normal',
    teamId: chat.team?.id ?? null,
    tags: chat.tags,
    visitorId: chat.visitor_id,
  });
}

/** The chat's current state. While the bot has it, the team owes nothing. */
const factsNow = (
  chat: SessionRow,
  { since, changed_at }: Kept,
  replied_at: Date | null,
  now: Date,
): SlaFacts => ({
  created_at: since,
  replied_at,
  unanswered_since: chat.unanswered_since,
  solved_at:
    chat.status === 'closed' ? (chat.ended_at ?? now) : chat.status === 'bot' ? (changed_at ?? now) : null,
  pauses: chat.snoozed_until === null ? [] : ['snoozed'],
});

/** Whether the team has something to do about it. */
const isOwed = ({ status }: SessionRow): boolean => status === 'waiting' || status === 'active';

interface Found {
  columns: SlaColumns;
  events: readonly SlaEvent[];
}

/** Processes moments in order, as if the clock had looked at each of them. */
class Course {
  readonly #applying: Applying | undefined;
  readonly #events: SlaEvent[] = [];
  #state: SlaState | null;

  constructor(applying: Applying | undefined, state: SlaState | null) {
    this.#applying = applying;
    this.#state = state;
  }

  get isPaused(): boolean {
    return this.#state?.resolution?.running === null;
  }

  /** Since when the visitor waits for the next answer. */
  get waitsSince(): Date | null {
    const next = this.#state?.next_response;
    return next && next.done === null ? new Date(next.since) : null;
  }

  look(facts: SlaFacts, at: Date): Found {
    const { columns, events } = slaAfter(this.#state, this.#applying, facts, at);
    this.#state = columns.sla;
    this.#events.push(...events);
    return { columns, events: this.#events };
  }
}

/**
 * The chat's current SLA state, computed message by message since the clock last looked: an answer counts when it was
 * given, however late the clock is.
 */
function follow(
  chat: SessionRow,
  kept: Kept,
  applying: Applying | undefined,
  said: readonly Said[],
  now: Date,
): Found {
  const course = new Course(applying, chat.sla);
  const facts = { created_at: kept.since, solved_at: null } as const;
  // A policy that came later doesn't apply to earlier messages.
  const isFromBeginning =
    kept.created_at !== null && kept.created_at <= new Date(kept.since.getTime() + 1_000);
  let replied_at = kept.replied_at;
  if (chat.sla || isFromBeginning) {
    if (!chat.sla) course.look({ ...facts, replied_at, unanswered_since: null, pauses: [] }, kept.since);
    let waiting = course.waitsSince;
    let isPaused = course.isPaused;
    for (const { sender, created_at } of said) {
      if (sender === 'agent') replied_at = created_at;
      if (sender === 'visitor') isPaused = false;
      waiting = sender === 'agent' ? null : (waiting ?? created_at);
      const pauses = isPaused ? (['snoozed'] as const) : [];
      course.look({ ...facts, replied_at, unanswered_since: waiting, pauses }, created_at);
    }
  }
  const current = factsNow(chat, kept, lastReply(said) ?? replied_at, now);
  if (kept.changed_at && kept.changed_at < now) course.look(current, kept.changed_at);
  return course.look(current, now);
}

/** Stores the SLA state of a chat. That of a closed one without targets is deleted. */
async function store(
  tx: SiteContext,
  chat: SessionRow,
  { sla, sla_due_at, sla_event_at }: SlaColumns,
  replied_at: Date | null,
): Promise<void> {
  if (!sla && !isOwed(chat)) {
    await sql`delete from chat_slas where site_id = ${tx.site.id} and conversation_id = ${chat.id}`.execute(
      tx.db,
    );
    return;
  }
  await sql`
    insert into chat_slas as s
      (site_id, conversation_id, sla, due_at, event_at, changed_at, read_seq, replied_at, created_at)
    values (${tx.site.id}, ${chat.id}, ${sla && JSON.stringify(sla)}, ${sla_due_at}, ${sla_event_at}, null,
      ${chat.last_seq}, ${replied_at}, ${tx.now()})
    on conflict (site_id, conversation_id) do update
      set sla = excluded.sla, due_at = excluded.due_at, event_at = excluded.event_at, changed_at = null,
        read_seq = excluded.read_seq, replied_at = excluded.replied_at`.execute(tx.db);
}

async function report(tx: SiteContext, chat: SessionRow, { columns: { sla }, events }: Found): Promise<void> {
  const isPressing = isOwed(chat) && isUrgent(sla);
  if (isUrgent(chat.sla) && !isPressing) await settleDue(tx, { conversationId: chat.id });
  if (!sla) return;
  const { session_id, team } = chat;
  const assignee = chat.agent_id === null ? null : { id: chat.agent_id, name: chat.agent_name ?? '' };
  for (const { kind, target, due } of events) {
    const body = {
      ...{ ticket_id: null, session_id, subject: chat.about, priority: 'normal' as const },
      ...{ policy: sla.policy, target, due_utc: due.toISOString(), assignee, team },
    };
    await tx.emit({ webhook: { event: `sla_${kind}`, body } });
    // No warning for what was answered before the clock looked.
    if (!isPressing) continue;
    await notifyDue(tx, `sla_${kind}`, {
      assigneeId: chat.agent_id,
      teamId: team?.id ?? null,
      conversationId: chat.id,
    });
  }
}

/**
 * Computes and stores the due times of a locked chat, and reports targets that have become nearly due or late: to
 * webhooks, rules, desks and those concerned.
 */
export async function settleChatSla(tx: SiteContext, chat: SessionRow): Promise<void> {
  const kept = await readKept(tx, chat);
  const said = await readSaid(tx, chat, kept);
  const found = follow(chat, kept, await applyingTo(tx, chat, kept.version), said, tx.now());
  const { sla, sla_due_at } = found.columns;
  await store(tx, chat, found.columns, lastReply(said) ?? kept.replied_at);
  await report(tx, chat, found);
  const [before, after] = [presentSla(chat.sla, chat.sla_due_at), presentSla(sla, sla_due_at)];
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  await tx.emit({ notices: [{ kind: 'session', sessionId: chat.session_id }], dues: false });
}

/**
 * Computes the due times of a locked chat after a change of policies or hours. Targets that are late by them are
 * marked, but not reported: nobody could have prevented it.
 */
export async function renewChatSla(tx: SiteContext, chat: SessionRow): Promise<void> {
  const kept = await readKept(tx, chat);
  const replied = lastReply(await readSaid(tx, chat, kept)) ?? kept.replied_at;
  const applying = await applyingTo(tx, chat, kept.version);
  if (!applying && !chat.sla) return;
  const now = tx.now();
  await store(
    tx,
    chat,
    slaAfter(chat.sla, applying, factsNow(chat, kept, replied, now), now).columns,
    replied,
  );
}
