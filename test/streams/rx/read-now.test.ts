// Tests reading a value that an Observable emits within the call of `subscribe`.
import { NEVER, Subject, concat, finalize, of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { readNow } from '../../../lib/streams/rx/read-now.ts'

describe('readNow', () => {
  it('returns the last value that comes at once', () => {
    expect(readNow(of(1, 2))).toBe(2)
    expect(readNow(concat(of(3), NEVER))).toBe(3)
  })

  it('returns undefined and unsubscribes if no value comes at once', () => {
    let isOver = false
    const later$ = new Subject<number>()
    expect(readNow(later$.pipe(finalize(() => (isOver = true))))).toBeUndefined()
    expect([isOver, later$.observed]).toEqual([true, false])
  })

  it.each([
    ['an error', new Error('broken')],
    ['undefined', undefined],
  ])('throws %s with which the source fails, also after a value', (_, error) => {
    const failing$ = concat(
      of(1),
      throwError(() => error),
    )
    let thrown: unknown = 'nothing'
    try {
      readNow(failing$)
    } catch (caught) {
      thrown = caught
    }
    expect(thrown).toBe(error)
  })
})
