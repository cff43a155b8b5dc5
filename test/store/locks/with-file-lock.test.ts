// Tests that one process at a time works under a lock; others wait for a bounded time.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { NEVER, Subject, of, throwError } from 'rxjs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { takeLock } from '../../../lib/store/locks/session-lock.ts'
import { withFileLock } from '../../../lib/store/locks/with-file-lock.ts'

let [folder, file] = ['', '']
beforeEach(() => {
  vi.useFakeTimers()
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-locked-'))
  file = path.join(folder, 'settings.json')
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true, force: true })
})
const isLocked = (): boolean => existsSync(`${file}.lock`)

it('works under the lock, and releases it at the end, at a failure and on unsubscribe', () => {
  const work$ = new Subject<number>()
  const events: unknown[] = []
  withFileLock(file, () => work$).subscribe({ next: (value) => events.push(value, isLocked()) })
  work$.next(1)
  work$.complete()
  expect([...events, isLocked()]).toEqual([1, true, false])
  withFileLock(file, () => throwError(() => new Error('no'))).subscribe({
    error: (error: unknown) => events.push(error),
  })
  expect([events.at(-1), isLocked()]).toEqual([new Error('no'), false])
  const waiting = withFileLock(file, () => NEVER).subscribe()
  expect(isLocked()).toBe(true)
  waiting.unsubscribe()
  expect(isLocked()).toBe(false)
})

it('begins when the previous work has ended', () => {
  const first$ = new Subject<string>()
  const events: string[] = []
  withFileLock(file, () => first$).subscribe((value) => events.push(value))
  withFileLock(file, () => of('second')).subscribe((value) => events.push(value))
  vi.advanceTimersByTime(1_000)
  first$.next('first')
  expect(events).toEqual(['first'])
  first$.complete()
  vi.advanceTimersByTime(1_000)
  expect(events).toEqual(['first', 'second'])
})

it('gives up after 15 s, names the holder, and does no work', () => {
  const other = takeLock({ file, sessionId: 'another' })
  const [work, failed] = [vi.fn(() => of(1)), vi.fn()]
  withFileLock(file, work).subscribe({ error: failed })
  vi.advanceTimersByTime(14_900)
  expect(failed).not.toHaveBeenCalled()
  vi.advanceTimersByTime(200)
  const message = `${file} is being changed by process ${process.pid}; try again later`
  expect(failed).toHaveBeenCalledWith(expect.objectContaining({ code: 'storage', message }))
  expect([work.mock.calls.length, vi.getTimerCount()]).toEqual([0, 0])
  other.release()
})
