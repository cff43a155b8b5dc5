// Listens on a socket on request, and greets each connection.
// Input lines are `listen <path> [descriptor]` or `close`; output lines are their results.
import { createInterface } from 'node:readline'
import { Subscription, switchMap, tap } from 'rxjs'
import { helloFrame } from '../../lib/server/protocol/frame.ts'
import { listen } from '../../lib/server/socket/listen.ts'
import { Failure } from '../../lib/streams/values/failure.ts'

const server = { name: 'rxpi', version: '7.7.7', pid: process.pid, epoch: 'abcdefgh' }
const hello = helloFrame({ server, limits: {}, capabilities: [] })
let listening = new Subscription()

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const [command, path = '', descriptor] = line.split(' ')
    listening.unsubscribe()
    if (command === 'listen') listening = listenAt(path, descriptor === undefined ? undefined : Number(descriptor))
    else say({ closed: true })
  })
  .on('close', () => {
    process.exit(0)
  })
say({ pid: process.pid })

function listenAt(path: string, descriptor?: number): Subscription {
  const greeted$ = listen({ path, descriptor }).pipe(
    tap(() => {
      say({ listening: true })
    }),
    switchMap(({ connections$ }) => connections$),
  )
  return greeted$.subscribe({
    next: (socket) => {
      socket.end(`${hello}\n`)
    },
    error: (error: unknown) => {
      const { code, message, data } = Failure.from(error)
      say({ code, message, data })
    },
  })
}

function say(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}
