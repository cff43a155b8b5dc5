// A blob is given in pieces that a line can hold, each cut from bytes that were checked.
import { defer, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { FileStore } from '../store/index.ts'
import type { CommandNamed, ResultOf } from '../streams/command.ts'
import { Failure } from '../streams/failure.ts'

/** Bytes of an answer, where no other number is asked for. */
const usualLimit = 4 * 1_024 * 1_024

/** Emits once. Fails with `unknown_session` where that is not kept here, `bad_request` where there is no such blob, `storage`. */
export function getBlob(
  files: FileStore,
  { session, hash, offset = 0, limit = usualLimit }: Omit<CommandNamed<'get_blob'>, 'type'>,
): Observable<ResultOf<'get_blob'>> {
  return defer(() => {
    files.fileOf(session)
    const bytes = files.blobs.find(hash)
    if (bytes === undefined) throw new Failure('bad_request', `There is no blob ${hash}`)
    const piece = bytes.subarray(offset, offset + limit)
    return of({ bytes: bytes.length, offset, data: piece.toString('base64') })
  })
}
