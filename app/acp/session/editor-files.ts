// Offers the files of an editor to its session: texts with changes that are not saved.
import { RequestError } from '@agentclientprotocol/sdk'
import { catchError, map, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AttachOptions } from '../../../lib/server/client/client.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { Peer } from '../wire/peer.ts'

/** Which requests about files an editor answers. */
export interface FileFeatures {
  readonly readsFiles: boolean
  readonly writesFiles: boolean
}

/** ACP's code for a file that is not there. */
const notFound = -32_002

/** Undefined if the editor reads no files: a change without the text before it could lose what is not saved. */
export function editorFiles(
  peer: Pick<Peer, 'ask'>,
  sessionId: string,
  { readsFiles, writesFiles }: FileFeatures,
): AttachOptions['files'] {
  if (!readsFiles) return undefined
  const read$ = (path: string): Observable<string | undefined> =>
    peer.ask('fs/read_text_file', { sessionId, path }).pipe(
      map(({ content }) => content),
      catchError((error: unknown) =>
        error instanceof RequestError && error.code === notFound
          ? of(undefined)
          : throwError(() => Failure.from(error)),
      ),
    )
  if (!writesFiles) return { read: read$ }
  return { read: read$, write: (path, content) => peer.ask('fs/write_text_file', { sessionId, path, content }) }
}
