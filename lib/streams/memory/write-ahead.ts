// Writes each line of a log to a place that answers later, before the log itself has it.
import { EMPTY, catchError, concat, defer, from, ignoreElements, of, throwError } from 'rxjs'
import type { Observable, ObservableInput } from 'rxjs'
import type { LogWriter, SessionLog } from '../ports/session-log.ts'
import { Failure, describeThrown } from '../values/failure.ts'
import { sealText } from './seal-text.ts'

/** Saves a line; the line is saved when what it returns has completed. */
export type SaveLine = (line: string, seq: number) => ObservableInput<unknown>

/**
 * The writer of a session whose log is in memory and whose lines are saved elsewhere, such as IndexedDB or Postgres.
 * `save` is called with each numbered line and its number, one at a time; when what it returns has completed, the log
 * has the line, and the event is folded and published. Lines that opening the session has added to the log (the end of
 * a run that was cut off) are saved before the next one. Lines of checkpoints are not saved: after a crash an
 * unfinished message is cut off.
 *
 * If `save` throws or fails, the append fails with Failure `storage`, the run ends, and the session writes the line
 * again, with the same number: save it in place of one with that number. Buffers nothing; the session holds further
 * events meanwhile.
 */
export function writeAhead(log: SessionLog, save: SaveLine): LogWriter {
  let savedSeq = log.head
  const saveNext$ = (line: string): Observable<never> =>
    concat(
      saved(() => save(line, savedSeq + 1)),
      defer(() => {
        savedSeq += 1
        return EMPTY
      }),
    )
  return {
    ...(log.blobs === undefined ? {} : { blobs: log.blobs }),
    get readOnly() {
      return log.readOnly
    },
    append: (body) =>
      defer(() => {
        const unsaved = Array.from(log.records(savedSeq), ({ line = '' }) => saveNext$(line))
        return concat(
          ...unsaved,
          saveNext$(sealText(body)),
          defer(() => of(log.append(body))),
        )
      }),
    checkpoint: (body) => {
      log.checkpoint(body)
    },
    sync: () => {
      log.sync()
    },
    durable: () => log.durable(),
  }
}

function saved(save: () => ObservableInput<unknown>): Observable<never> {
  return defer(() => from(save())).pipe(
    ignoreElements(),
    catchError((cause: unknown) =>
      throwError(() => new Failure('storage', `The line could not be saved: ${describeThrown(cause)}`, { cause })),
    ),
  )
}
