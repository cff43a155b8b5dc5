// What opening did not look at is checked afterwards, line by line, and must lead to the very line at which opening began.
import type { Entry } from '../../streams/state/fold-session.ts'
import { damagedLine } from '../lines/damaged-line.ts'
import { entryPlaces } from '../lines/entry-places.ts'
import type { KeptFile } from './kept-file.ts'
import type { LineIndex } from '../lines/line-index.ts'
import { readLines } from '../lines/read-lines.ts'
import type { LineSource } from '../lines/read-lines.ts'
import { logScan } from './scan-log.ts'
import { StoredEntry } from './stored-entry.ts'
import type { ReadRange } from './stored-entry.ts'

export interface EarlierLines {
  /** Its name, for errors. */
  readonly file: string
  readonly kept: KeptFile
  /** Is completed by what stands in the lines. */
  readonly index: LineIndex
  readonly read: LineSource['read']
  readonly readRange: ReadRange
}

/** Lines of one step: a tenth of a millisecond or so. */
const linesPerStep = 64

/** See `SessionLog.earlier`. @throws Failure `read_only` naming the line, `storage` */
export function* readEarlier({ file, kept, index, read, readRange }: EarlierLines): Generator<readonly Entry[], void> {
  const scan = logScan(file)
  const places = entryPlaces()
  let entries: Entry[] = []
  let count = 0
  for (const { bytes, offset } of readLines({ read, from: 0, end: () => kept.end })) {
    const damage = scan.line(bytes, offset)
    if (damage !== undefined) throw damage
    const place = offset === 0 ? undefined : places.take(bytes, offset)
    if (place !== undefined) entries.push(new StoredEntry(place, readRange))
    count += 1
    if (count % linesPerStep > 0) continue
    yield entries
    entries = []
  }
  yield entries
  const { head, lines, size, index: found } = scan.contents()
  if (head !== kept.seq || lines !== kept.lines || size !== kept.end)
    throw damagedLine({ file, line: lines + 1, problem: `its number is not ${head + 1}` })
  index.precede(found)
}
