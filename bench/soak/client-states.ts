// Checks that all clients that folded a session to the same `seq` have the same state as its log.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { ReceivedEvent } from '../../lib/client.ts'
import { emptySession, foldSession } from '../../lib/streams/state/fold-session.ts'
import type { SessionState } from '../../lib/streams/state/fold-session.ts'

export interface ClientStates {
  /** Records a client's state of a session. Ignored during a run: data that is not in the log yet is not compared. */
  note(session: string, state: SessionState): void
  /** Folds a session's log and compares; resolves to the number of compared states. */
  compare(session: string, file: string): Promise<number>
  /** The differences. */
  readonly faults: readonly string[]
}

export function trackClientStates(): ClientStates {
  const states = new Map<string, Map<number, string>>()
  const faults: string[] = []
  return {
    faults,
    note: (session, state) => {
      if (!isSettled(state) || state.seq === 0) return
      const known = states.get(session) ?? new Map<number, string>()
      const digest = digestOf(state)
      const first = known.get(state.seq)
      if (first === undefined) states.set(session, known.set(state.seq, digest))
      else if (first !== digest) faults.push(`${session}: two clients hold different states at seq ${state.seq}`)
    },
    compare: async (session, file) => {
      const wanted = states.get(session) ?? new Map<number, string>()
      const logged = await digestsOf(file, wanted)
      for (const [seq, digest] of wanted) {
        if (!logged.has(seq)) faults.push(`${session}: a client saw seq ${seq}, which its log does not have`)
        else if (logged.get(seq) !== digest) faults.push(`${session}: a client's state at seq ${seq} is not the log's`)
      }
      return wanted.size
    },
  }
}

export function isSettled({ running, open, tools }: SessionState): boolean {
  return running === undefined && open === undefined && tools.size === 0
}

/** All state from the log; live output is not part of it. */
function digestOf(state: SessionState): string {
  const { jobOutput: _, ...durable } = state
  const json = JSON.stringify(durable, (_key, value: unknown) => (value instanceof Map ? [...value] : value))
  return createHash('sha256').update(json).digest('base64')
}

/** Without the code of the store: a log is lines of JSON. */
async function digestsOf(file: string, wanted: ReadonlyMap<number, string>): Promise<Map<number, string>> {
  const digests = new Map<number, string>()
  let state = emptySession()
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const record = JSON.parse(line) as Partial<ReceivedEvent>
    if (record.seq === undefined || record.event === undefined) continue // the header, or a checkpoint
    state = foldSession(state, { ...record, event: record.event })
    if (wanted.has(record.seq)) digests.set(record.seq, digestOf(state))
  }
  return digests
}
