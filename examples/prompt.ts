// Sends one prompt to a running server and prints the answer; survives lost connections:
//   rxpi serve &  node examples/prompt.ts "What is in this folder?"
import { ignoreElements, merge, mergeMap } from 'rxjs'
import { connect, eventsOf } from 'rxpi/client'
import { textDeltas, untilSettled } from 'rxpi/operators'
import { connectSocket, socketPath } from 'rxpi/server'

const [text = 'What is in this folder?'] = process.argv.slice(2)
const { PATH = '', HOME = '' } = process.env
const socket = socketPath({ env: process.env })
const client = connect({ open: () => connectSocket(socket), hello: { client: 'example' }, attempts: 5 })

const answer$ = client.request({ type: 'new_session', cwd: process.cwd(), env: { PATH, HOME } }).pipe(
  mergeMap(({ session }) =>
    merge(
      client.events$(session, { after: 0 }),
      // with an opId, the client repeats the command after a lost connection
      client.request({ type: 'prompt', session, text }, { opId: crypto.randomUUID() }).pipe(ignoreElements()),
    ),
  ),
  eventsOf(),
  untilSettled(),
  textDeltas(),
)
answer$.subscribe({
  next: (piece) => process.stdout.write(piece),
  error: (error: unknown) => {
    process.exitCode = 1
    console.error(error instanceof Error ? error.message : error)
    client.close()
  },
  complete: () => client.close(),
})
