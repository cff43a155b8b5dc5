// What opening and skipping need of a line — its number and event type — stands at its start and is read without parsing the rest.

export interface LineHead {
  /** Absent on a checkpoint line. */
  readonly seq?: number
  /** The event's type. */
  readonly type: string
}

/** Units of a line within which the head of every line that rxpi writes ends, but for one with an `opId`. */
const headLength = 160
const numbered = /^\{"seq":([1-9]\d{0,15}),"at":\d+(?:\.\d+)?(?:,"runId":"[a-z2-7]{8}")?,"event":\{"type":"([a-z_]+)"/
const checkpoint = /^\{"at":\d+(?:\.\d+)?,"event":\{"type":"([a-z_]+)"/

/** Number and type of a line after the first; `undefined` where it is no such line. Does not check the rest of it. */
export function lineHead(line: Buffer): LineHead | undefined {
  const start = line.toString('latin1', 0, headLength)
  const plain = numbered.exec(start)
  if (plain?.[2] !== undefined) return { seq: Number(plain[1]), type: plain[2] }
  const unnumbered = checkpoint.exec(start)
  if (unnumbered?.[1] !== undefined) return { type: unnumbered[1] }
  return parsedHead(line)
}

function parsedHead(line: Buffer): LineHead | undefined {
  const value = parsed(line)
  if (!isRecord(value) || !isRecord(value['event'])) return undefined
  const { seq, event } = value
  const { type } = event
  if (typeof type !== 'string') return undefined
  if (seq === undefined) return { type }
  return typeof seq === 'number' && Number.isSafeInteger(seq) && seq > 0 ? { seq, type } : undefined
}

function parsed(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString())
  } catch {
    return undefined // said by the caller: the line is no line of a log
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
