// Reads the message of an entry from the log at each access, and checks its line (lazy entry index).
import { Failure } from '../../streams/values/failure.ts'
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import type { Entry } from '../../streams/state/fold-session.ts'
import type { Message } from '../../streams/messages/message.ts'
import { restoreResult } from '../../streams/log/line-event.ts'
import type { ByteRange, EntryLocation } from '../lines/locate-entries.ts'
import { parseLine } from '../lines/parse-line.ts'
import { damagedLine } from '../lines/damage-report.ts'
import { createEntryLocator } from '../lines/locate-entries.ts'
import type { StateSnapshotFile } from './state-snapshot-file.ts'
import type { LineIndex } from '../lines/line-index.ts'
import { readLines } from '../lines/read-lines.ts'
import type { LineSource } from '../lines/read-lines.ts'
import { createLogScan } from './scan-log.ts'

/** Reads bytes of the log. @throws Failure `storage` */
export type ReadRange = (range: ByteRange) => Buffer

export class LazyEntry implements Entry {
  readonly entryId: string
  readonly parentId: string | null
  readonly seq: number
  readonly #location: EntryLocation
  readonly #read: ReadRange

  constructor(location: EntryLocation, read: ReadRange) {
    this.entryId = location.entryId
    this.parentId = location.parentId
    this.seq = location.seq
    this.#location = location
    this.#read = read
  }

  /** @throws Failure `read_only` if its line is damaged or has changed since it was checked, `storage` */
  get message(): Message {
    const { line, end } = this.#location
    const event = this.#event(line)
    if (event.type !== 'message_end') throw changedFailure(line)
    const { message } = event
    return message.role === 'toolResult' ? restoreResult(message, this.#endAt(end)) : message
  }

  #endAt(range: ByteRange | undefined): EventNamed<'tool_execution_end'> | undefined {
    if (range === undefined) return undefined
    const event = this.#event(range)
    if (event.type !== 'tool_execution_end') throw changedFailure(range)
    return event
  }

  #event(range: ByteRange): AgentEvent {
    const parsed = parseLine(this.#read(range))
    if (!parsed.ok) throw parsed.fault === 'wrong_crc' ? changedFailure(range) : mismatchFailure(range, parsed.problem)
    return parsed.record.event
  }
}

/** The entries by id. */
export function createLazyEntries(locations: readonly EntryLocation[], read: ReadRange): ReadonlyMap<string, Entry> {
  return new Map(locations.map((location) => [location.entryId, new LazyEntry(location, read)]))
}

/** Damage in a line with a correct checksum, found only by parsing the whole line. */
function mismatchFailure({ offset }: ByteRange, problem: string): Failure {
  const message = `The line at byte ${offset} of the log is damaged: ${problem}; "rxpi sessions verify" lists all damage`
  return new Failure('read_only', message, { data: { offset, problem } })
}

function changedFailure({ offset }: ByteRange): Failure {
  const message = `The log was changed while its session was open: what stands at byte ${offset} is no longer a line of it`
  return new Failure('read_only', message, { data: { offset } })
}

// Checks the lines that a state snapshot covers after opening. The check must arrive at the snapshot's last line.

interface EarlierLines {
  /** File name for error texts. */
  readonly file: string
  readonly snapshot: StateSnapshotFile
  /** Receives the checked lines. */
  readonly index: LineIndex
  readonly read: LineSource['read']
  readonly readRange: ReadRange
}

/** Lines per step: about a tenth of a millisecond. */
const linesPerStep = 64

/** See `SessionLog.earlier`. @throws Failure `read_only` naming the line, `storage` */
export function* readEarlierEntries({
  file,
  snapshot,
  index,
  read,
  readRange,
}: EarlierLines): Generator<readonly Entry[], void> {
  const scan = createLogScan(file)
  const locations = createEntryLocator()
  let entries: Entry[] = []
  let count = 0
  for (const { bytes, offset } of readLines({ read, from: 0, end: () => snapshot.end })) {
    const damage = scan.line(bytes, offset)
    if (damage !== undefined) throw damage
    const location = offset === 0 ? undefined : locations.take(bytes, offset)
    if (location !== undefined) entries.push(new LazyEntry(location, readRange))
    count += 1
    if (count % linesPerStep > 0) continue
    yield entries
    entries = []
  }
  yield entries
  const { head, lines, size, index: found } = scan.contents()
  if (head !== snapshot.seq || lines !== snapshot.lines || size !== snapshot.end)
    throw damagedLine({ file, line: lines + 1, problem: `its number is not ${head + 1}` })
  index.precede(found)
}
