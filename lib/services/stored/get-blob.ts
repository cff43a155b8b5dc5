// A blob is given in pieces that a line can hold, each cut from bytes that were checked.
import { defer, filter } from 'rxjs'
import type { Observable } from 'rxjs'
import { inSlices } from '../../host/process/in-slices.ts'
import type { CommandNamed, ResultOf } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { ReadStores } from './read-sessions.ts'

/** Bytes of an answer, where no other number is asked for. */
const usualLimit = 4 * 1_024 * 1_024

/** Emits once; the blob is read in slices, never whole into memory. Fails with `unknown_session` where that is not kept here, `bad_request` where there is no such blob, `storage`. */
export function getBlob(
  { memory, files }: ReadStores,
  { session, hash, offset = 0, limit = usualLimit }: Omit<CommandNamed<'get_blob'>, 'type'>,
): Observable<ResultOf<'get_blob'>> {
  return defer(() => {
    checkKept({ memory, files }, session)
    return inSlices(() => answered(files.blobs.piece(hash, { offset, limit }), { hash, offset }))
  }).pipe(filter((step) => step !== undefined))
}

function* answered(
  piece: ReturnType<ReadStores['files']['blobs']['piece']>,
  { hash, offset }: { readonly hash: string; readonly offset: number },
): Generator<ResultOf<'get_blob'> | undefined, void> {
  const found = yield* piece
  if (found === undefined) throw new Failure('bad_request', `There is no blob ${hash}`)
  yield { bytes: found.bytes, offset, data: found.data.toString('base64') }
}

/** Also one that is played here from its record: what it shows is of the session that it plays. @throws Failure `unknown_session` */
function checkKept({ memory, files }: ReadStores, session: string): void {
  try {
    files.fileOf(session)
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code !== 'unknown_session') throw thrown
    memory.open(session, { readOnly: true })
  }
}
