// Tests how long a module of pi waits for a client that opens the other session.
import { expect, onTestFinished, test, vi } from 'vitest'
import { replaceSession } from '../../../../lib/extensions/pi/runtime/replace-session.ts'
import type { PiRuntime } from '../../../../lib/extensions/pi/contract/pi-runtime.ts'
import { scope } from '../../../../lib/streams/rx/scope.ts'

function waitingModule(path: string) {
  const life = scope()
  const reports: string[] = []
  const session = { id: 'one', cwd: '/', requestOpen: () => undefined }
  const runtime = {
    api: { session, ui: { screen: () => ({ columns: 80, rows: 24 }) }, scope: life },
    path,
    limits: { report: (_name: string, text: string) => reports.push(text) },
  } as unknown as PiRuntime // the parts that are read
  return { life, reports, answer: replaceSession(runtime, 'ctx.newSession', undefined) }
}

test('a module that is unloaded meanwhile is not told that no client came in time', async () => {
  const { life, reports, answer } = waitingModule('/ended.ts')
  life.end()
  expect(await answer).toEqual({ cancelled: true })
  expect(reports).toEqual([])
})

test('the answer after a minute without a client is cancelled, with a report', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval', 'Date'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const { reports, answer } = waitingModule('/late.ts')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await answer).toEqual({ cancelled: true })
  expect(reports).toEqual(['no client opened the session within 60 s'])
})
