import { take } from 'rxjs'
import { expect, it } from 'vitest'
import { broadcast } from '../../../lib/session/pipeline/broadcast.ts'

it('tells those who are there, in the order in which they came [LOOP-30a]', () => {
  const told: string[] = []
  const { value$, next } = broadcast<number>()
  next(0)
  const first = value$.subscribe((value) => told.push(`first ${value}`))
  next(1)
  value$.subscribe((value) => told.push(`second ${value}`))
  next(2)
  first.unsubscribe()
  next(3)
  expect(told).toEqual(['first 1', 'first 2', 'second 2', 'second 3'])
})

it('tells who comes within a value the next one first', () => {
  const told: number[] = []
  const { value$, next } = broadcast<number>()
  const join = (): void => {
    value$.subscribe((later) => told.push(later))
  }
  value$.pipe(take(1)).subscribe(join)
  next(1)
  next(2)
  expect(told).toEqual([2])
})

it('tells who leaves within a value nothing more, that value neither', () => {
  const told: string[] = []
  const { value$, next } = broadcast<number>()
  value$.subscribe((value) => {
    told.push(`first ${value}`)
    second.unsubscribe()
  })
  const second = value$.subscribe((value) => told.push(`second ${value}`))
  next(1)
  next(2)
  expect(told).toEqual(['first 1', 'first 2'])
})

it('completes for all, and at once for who comes later', () => {
  const told: string[] = []
  const { value$, next, complete } = broadcast<number>()
  value$.subscribe({ next: () => told.push('value'), complete: () => told.push('first') })
  value$.subscribe({ complete: () => told.push('second') })
  complete()
  next(1)
  value$.subscribe({ complete: () => told.push('late') })
  expect(told).toEqual(['first', 'second', 'late'])
})
