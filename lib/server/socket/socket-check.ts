// What `rxpi doctor` says of the socket: where a client looks, whether it is safe, and who listens there.
import { catchError, defer, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ResultOf } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'
import { askServer } from './ask-server.ts'
import type { AskedServer } from './ask-server.ts'
import { checkSocketFolder } from './check-socket-folder.ts'
import { checkSocket } from './check-socket.ts'
import { socketPath } from './socket-path.ts'

type Check = ResultOf<'doctor'>['checks'][number]

/** Emits once, after 2 s at most, and never fails. @param env of who asks */
export function socketCheck(env: Readonly<Record<string, string>>): Observable<Check> {
  return defer(() => {
    const path = socketPath({ env })
    const asked$ = checkSocketFolder(path) && checkSocket(path) ? askServer(path) : of<AskedServer>({ alive: false })
    return asked$.pipe(map((asked) => `${path}: ${heard(asked)}`))
  }).pipe(
    map((message): Check => ({ name: 'socket', ok: true, required: false, message })),
    catchError((error: unknown) =>
      of<Check>({ name: 'socket', ok: false, required: false, message: Failure.from(error).message }),
    ),
  )
}

function heard(asked: AskedServer): string {
  if (!asked.alive) return 'no server runs'
  const { server } = asked
  return server === undefined ? 'who listens does not greet' : `process ${server.pid}, version ${server.version}`
}
