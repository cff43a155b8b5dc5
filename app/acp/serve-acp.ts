// Runs `rxpi acp`: an agent of the Agent Client Protocol on standard input and output.
import { Readable, Writable } from 'node:stream'
import { ndJsonStream } from '@agentclientprotocol/sdk'
import { Observable, defer, finalize, mergeMap } from 'rxjs'
import type { ReconnectingClient } from '../../lib/server/client/reconnecting-client.ts'
import { socketPath } from '../../lib/server/socket/socket-path.ts'
import { describeThrown } from '../../lib/streams/values/failure.ts'
import type { AcpInvocation } from '../cli/invocation.ts'
import { sessionOptions } from '../commands/sessions/open-session-choice.ts'
import { lastingClient } from '../connect/lasting-client.ts'
import { endAtSignal } from '../process/end-at-signal.ts'
import { report } from '../process/progress.ts'
import { version } from '../process/version.ts'
import type { ProcessWorld } from '../process/world.ts'
import { createAgent } from './create-agent.ts'
import { answerBeforeEnd } from './wire/answer-before-end.ts'
import { createPeer } from './wire/peer.ts'
import type { Peer } from './wire/peer.ts'
import { OpenSessions } from './session/open-sessions.ts'

interface Ends {
  readonly input: Readable
  readonly output: Writable
}

type AcpWorld = Pick<ProcessWorld, 'env' | 'stderr' | 'signals$'>

/** Bytes of one message from an editor: the protocol of the server allows 16 MiB. */
const longestMessage = 16_777_216

/**
 * Emits exit code 0 after the end of the input, 1 after a message that is too long, or the code of a signal. Runs of
 * its sessions go on in the server.
 */
export function serveAcp({ socket, options }: AcpInvocation, world: AcpWorld, ends: Ends): Observable<number> {
  return defer(() => {
    const { env, stderr, signals$ } = world
    const hello = { client: 'acp', ui: true, questions: true }
    const onNotice = (message: string): void => {
      report(stderr, message)
    }
    // editors end an agent with its descendants, and the server is not theirs
    const address = { socket: socketPath({ env, requested: socket }), env, isOrphan: true }
    return lastingClient({ ...address, hello, onNotice }).pipe(
      mergeMap((client) =>
        serveEnds(client, { ...world, options }, ends).pipe(
          finalize(() => {
            client.close()
          }),
        ),
      ),
      endAtSignal(signals$),
    )
  })
}

/** Standard output has messages of ACP and nothing else. */
function serveEnds(
  client: ReconnectingClient,
  { env, stderr, options }: AcpWorld & Pick<AcpInvocation, 'options'>,
  { input, output }: Ends,
): Observable<number> {
  return new Observable((subscriber) => {
    const sessions = new OpenSessions(client)
    let peer: Peer | undefined
    const app = createAgent({
      ...{ client, sessions, env, version },
      options: sessionOptions({ ...options, cwd: '/', from: 'new' }), // the editor names the folder
      peer: () => (peer ??= createPeer(connection.client)),
    })
    const [written, read] = [Writable.toWeb(output), Readable.toWeb(input) as ReadableStream<Uint8Array>]
    const stream = ndJsonStream(written, read, { maxMessageBytes: longestMessage })
    const connection = app.connect(answerBeforeEnd(stream))
    void connection.closed.then(() => {
      const reason: unknown = connection.signal.reason
      const isFault = reason instanceof Error && reason.name === 'MessageTooLargeError'
      if (isFault) report(stderr, describeThrown(reason))
      subscriber.next(isFault ? 1 : 0)
      subscriber.complete()
    })
    return () => {
      sessions.close()
      connection.close()
      input.destroy() // a read that waits would keep the process alive
    }
  })
}
