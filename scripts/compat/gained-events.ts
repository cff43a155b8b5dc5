// Removes durable events that older builds do not write, and numbers the lines as such a build would.
import type { Frame } from './harness/wire-client.ts'

/** Durable events that a server gained since; a client passes over a type that it does not know. */
const gainedEvents = new Set<unknown>(['policy_decision'])

/** The log's lines that a client knows which does not know the gained events. */
export const withoutGainedLines = (lines: readonly string[]): string[] =>
  lines.filter((line) => !gainedEvents.has((JSON.parse(line) as { event?: Frame }).event?.['type']))

export interface OlderNumbers {
  /** The frames without gained events; `seq`, `head` and `lines` count the lines of an older build. */
  frames(frames: readonly Frame[]): Frame[]
  /** A recorded line of a client, whose `after` and `before` count the lines of an older build. */
  request(line: string): string
}

/** Guarantees: a gap is known once its event has arrived, so a client must be attached to what it compares. */
export function olderNumbers(): OlderNumbers {
  /** The numbers of gained lines, ascending, by session. */
  const gained = new Map<unknown, number[]>()
  const sessions = new Map<unknown, unknown>()
  const ofSession = (session: unknown): number[] => gained.get(session) ?? []
  const older = (session: unknown, seq: number): number => seq - ofSession(session).filter((each) => each <= seq).length
  const learn = ({ session, seq, event }: Frame): void => {
    if (typeof seq !== 'number' || !gainedEvents.has((event as Frame | undefined)?.['type'])) return
    const known = ofSession(session)
    if (!known.includes(seq))
      gained.set(
        session,
        [...known, seq].sort((left, right) => left - right),
      )
  }
  return {
    frames: (frames) => {
      frames.forEach(learn)
      return frames
        .filter(({ event }) => !gainedEvents.has((event as Frame | undefined)?.['type']))
        .map((frame) => withNumbers(frame, frame['session'] ?? sessions.get(frame['id']), older) as Frame)
    },
    request: (line) => {
      const request = readRequest(line)
      if (request === undefined) return line
      const { id, session } = request
      sessions.set(id, session)
      const numbers = ofSession(session)
      if (numbers.length === 0) return line
      const newer = (seq: number): number => numbers.reduce((now, each) => (each <= now ? now + 1 : now), seq)
      const moved = Object.entries(request).filter(
        (field): field is [string, number] => ['after', 'before'].includes(field[0]) && typeof field[1] === 'number',
      )
      return JSON.stringify({ ...request, ...Object.fromEntries(moved.map(([name, seq]) => [name, newer(seq)])) })
    },
  }
}

/** Undefined for a line that is no request: scenes send such lines too. */
function readRequest(line: string): Frame | undefined {
  try {
    return (JSON.parse(line) as Frame | null) ?? undefined
  } catch {
    return undefined
  }
}

/** Numbers of a log's lines: of a line, of the last one, of all that a check has read. */
const counts = new Set(['seq', 'head', 'lines'])

type ToOlder = (session: unknown, seq: number) => number

function withNumbers(value: unknown, session: unknown, older: ToOlder, key = ''): unknown {
  if (typeof value === 'number') return counts.has(key) ? older(session, value) : value
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value
    return items.map((each) => withNumbers(each, session, older))
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]: [string, unknown]) => [name, withNumbers(each, session, older, name)]),
  )
}
