import { Subject, config, of, throwError } from 'rxjs'
import { afterEach, expect, it, vi } from 'vitest'
import { subscribeLast } from '../../../lib/operators/core/subscribe-last.ts'

afterEach(() => {
  config.onUnhandledError = null
})

it('tells each value until the end', () => {
  const told: string[] = []
  subscribeLast(of('a', 'b'), (value) => told.push(value))
  expect(told).toEqual(['a', 'b'])
})

it('hands on a failure of its source, and lets go of it', async () => {
  const unhandled: unknown[] = []
  config.onUnhandledError = (error) => unhandled.push(error)
  const source$ = new Subject<string>()
  subscribeLast(source$, () => undefined)
  source$.error(new Error('source'))
  await vi.waitFor(() => expect(unhandled).toEqual([new Error('source')]))
  expect(source$.observed).toBe(false)
  subscribeLast(
    throwError(() => new Error('at once')),
    () => undefined,
  )
  await vi.waitFor(() => expect(unhandled).toHaveLength(2))
})
