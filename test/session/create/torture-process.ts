// Opens or creates a session and runs it until the process is killed, printing what it saw.
// It has slow answers, tool calls, and inputs that arrive during a run.
import { writeSync } from 'node:fs'
import { map, timer } from 'rxjs'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import { fileStore } from '../../../lib/store/sessions/file-store.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import type { TortureLine } from './torture-lines.ts'

const [home = '', sessionId] = process.argv.slice(2)

const provider = scripted((_request, number) => ({
  ...(number % 3 === 0 ? {} : { thinking: `Thinking about ${number}. `.repeat(number % 3) }),
  text: `Answer ${number}: ${'word '.repeat(40 + ((number * 37) % 60))}`,
  pieceLength: 6,
  pieceDelayMs: ((number + 1) % 4) * 5,
  toolCalls: Array.from({ length: (number * 7) % 4 }, (_, index) => ({ name: index % 2 === 0 ? 'quick' : 'slow' })),
}))
let outputs = 0
/** Over 64 KiB and unique, so that it is stored as a blob beside the log. */
const longOutput = (): string => `done in time ${process.pid} ${(outputs += 1)}\n`.repeat(4_000)
const tools = [
  fakeTool('quick', 'done at once'),
  fakeTool('slow', () => timer(40).pipe(map(() => textResult(longOutput())))),
]
const session = createSession({
  model: { model: scriptedModel, provider },
  cwd: home,
  env: {},
  tools,
  system: 'Be brief.',
  store: fileStore({ home }),
  approve: 'auto',
  ...(sessionId === undefined ? {} : { sessionId }),
})

/** Writes synchronously, so that a kill at any time loses no line that was reported. */
function report(notices: TortureLine): void {
  writeSync(1, `${JSON.stringify(notices)}\n`)
}

let count = 0
function send(type: 'prompt' | 'steer' | 'follow_up'): void {
  const text = `${type} ${process.pid} ${(count += 1)}`
  const command = type === 'prompt' ? ({ type, text, whileRunning: 'follow_up' } as const) : ({ type, text } as const)
  session.send(command).subscribe(() => {
    report({ acknowledged: text })
  })
}

report({ session: session.id })
session.records$.subscribe(({ seq, line = '', event }) => {
  if (seq !== undefined) report({ seq, line })
  if (event.type === 'message_update' && 'offset' in event.delta) {
    const { contentIndex, offset, text } = event.delta
    report({ entryId: event.entryId, contentIndex, length: offset + text.length, at: Date.now() })
  }
})
send('prompt')
timer(5, 35).subscribe((tick) => {
  send((['steer', 'follow_up', 'prompt'] as const)[tick % 3] ?? 'steer')
})
