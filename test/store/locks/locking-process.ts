// Locks each log that its input names, prints the result, and releases it on request.
import { createInterface } from 'node:readline'
import { takeLock } from '../../../lib/store/locks/session-lock.ts'
import type { SessionLock } from '../../../lib/store/locks/session-lock.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'

let held: SessionLock | undefined

for await (const file of createInterface({ input: process.stdin })) {
  if (file === 'release') {
    held?.release()
    held = undefined
    process.stdout.write('released\n')
  } else process.stdout.write(`${outcome(file)}\n`)
}

function outcome(file: string): string {
  try {
    held = takeLock({ file, sessionId: 'abcdefghij23', socket: '/run/rxpi.sock' })
    return 'locked'
  } catch (thrown) {
    const { code, data } = Failure.from(thrown)
    return `${code} ${String(data['pid'])}`
  }
}
