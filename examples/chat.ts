// A chat client: a line is a prompt, or steers the run; Ctrl-C stops the run, Ctrl-D leaves. Run:
//   rxpi serve &  node examples/chat.ts
import { connect } from 'rxpi/client'
import { connectSocket, socketPath } from 'rxpi/server'
import split2 from 'split2'

const { PATH = '', HOME = '' } = process.env
const socket = socketPath({ env: process.env })
const client = connect({ open: () => connectSocket(socket), hello: { client: 'chat' }, attempts: 5 })
const error = (failure: Error) => {
  console.error(failure.message)
  process.exit(1)
}
const opened$ = client.request({ type: 'new_session', cwd: process.cwd(), env: { PATH, HOME } })
const next = ({ session }: { session: string }) => {
  const lines = process.stdin.pipe(split2('\n'))
  lines.on('data', (text: string) => {
    client.request({ type: 'prompt', session, text, whileRunning: 'steer' }).subscribe({ error })
  })
  process.on('SIGINT', () => client.request({ type: 'abort', session }).subscribe({ error }))
  lines.on('end', () => process.exit())
  client.events$(session).subscribe((received) => {
    if (received.type !== 'event') return
    const { event } = received
    if (event.type === 'message_update' && event.delta.type === 'text_delta') process.stdout.write(event.delta.text)
    if (event.type === 'tool_execution_start') console.log(`\n[${event.toolName}]`)
    if (event.type === 'agent_end') console.log(`\n(${event.terminationReason})`)
  })
}
opened$.subscribe({ next, error })
