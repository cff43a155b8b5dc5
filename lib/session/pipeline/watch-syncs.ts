// A sync that fails is heard of, also where no command waits for it.
import { tap } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import type { SessionLog } from '../../streams/ports/session-log.ts'

export type WatchedLog = Pick<SessionLog, 'append' | 'checkpoint' | 'sync' | 'durable' | 'blobs'>

/** The log as it is written to; `failed` is told of each sync that was asked for and failed, before who asked is. */
export function watchSyncs(log: WatchedLog, failed: (failure: Failure) => void): WatchedLog {
  const durable$: WatchedLog['durable'] = () =>
    log.durable().pipe(
      tap({
        error: (error: unknown) => {
          failed(Failure.from(error, 'storage'))
        },
      }),
    )
  return {
    blobs: log.blobs,
    append: (body) => log.append(body),
    checkpoint: (body) => {
      log.checkpoint(body)
    },
    sync: () => {
      durable$().subscribe({ error: () => undefined }) // told above
    },
    durable: durable$,
  }
}
