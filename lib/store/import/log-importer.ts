// A log of rxpi from elsewhere is copied event by event, each checked as if it were read; what it may not bring along becomes data.
import type { SessionRecord } from '../../streams/log/session-record.ts'
import { parseLine } from '../lines/parse-line.ts'
import { cleanValue, deepest } from './clean-value.ts'
import { isBlank } from './foreign-lines.ts'
import type { ImportNotes } from './import-notes.ts'
import type { Importer } from './importer.ts'
import { fitted, knownEntries } from './known-entries.ts'
import { asData, leftOut } from './left-out.ts'

/** Takes the lines after the first. Entry and run ids stay; `opId`s do not, and checkpoints only of the message that is open. */
export function logImporter(notes: ImportNotes): Importer {
  const entries = knownEntries()
  let seq = 0
  return {
    line: ({ number, bytes }) => {
      const tell = (message: string): void => notes.add(number, message)
      const record = bytes === undefined ? 'it is too long' : recordOf(bytes)
      if (typeof record === 'string') {
        tell(`${record}; it was left out`)
        return []
      }
      const { at, runId, event } = record
      if (record.seq !== undefined) {
        if (record.seq !== seq + 1) tell(`its number is ${record.seq} where ${seq + 1} comes next`)
        seq = record.seq
      }
      const reason = leftOut(event.type)
      if (reason !== undefined) tell(`${event.type} was kept as data: ${reason}`)
      const taken = reason === undefined ? fitted(entries, event, tell) : [asData(event)]
      return taken.map((one) => ({ at, ...(runId === undefined ? {} : { runId }), event: one }))
    },
  }
}

function recordOf(bytes: Buffer): SessionRecord | string {
  if (isBlank(bytes)) return 'it is empty'
  const parsed = parseLine(bytes)
  if (!parsed.ok) return parsed.problem
  return cleanValue(parsed.record) === undefined ? `it is nested more than ${deepest} levels deep` : parsed.record
}
