// Tests `serialExecutor`: steps run one at a time, in order.
import { EMPTY, Subject } from 'rxjs'
import type { Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { serialExecutor } from '../../../lib/session/pipeline/serial-executor.ts'

/** An executor of named steps; `steps` records what it does, in order. */
function scene(within: (name: string) => Observable<never> | undefined = () => undefined) {
  const steps: string[] = []
  const executor = serialExecutor(() => steps.push('ended'))
  const put = (name: string): void => {
    executor.run(() => {
      steps.push(`<${name}`)
      const held$ = within(name)
      steps.push(`${name}>`)
      return held$
    })
  }
  return { steps, put, executor }
}

describe('serialExecutor', () => {
  it('runs a step in the call', () => {
    const { steps, put } = scene()
    put('a')
    put('b')
    expect(steps).toEqual(['<a', 'a>', '<b', 'b>'])
  })

  it('runs the steps that a step causes behind it, in order', () => {
    const { steps, put } = scene((name) => {
      if (name !== 'a') return undefined
      put('b')
      put('c')
      return undefined
    })
    put('a')
    expect(steps).toEqual(['<a', 'a>', '<b', 'b>', '<c', 'c>'])
  })

  it('ends behind the steps that wait at its close, and does nothing then', () => {
    const { steps, put, executor } = scene((name) => {
      if (name !== 'a') return undefined
      put('b')
      executor.close()
      return undefined
    })
    put('a')
    put('late')
    executor.close()
    expect(steps).toEqual(['<a', 'a>', '<b', 'b>', 'ended'])
  })

  it('ends at once if no step is under way', () => {
    const { steps, executor } = scene()
    executor.close()
    executor.close()
    expect(steps).toEqual(['ended'])
  })

  it('runs on after a step that throws', () => {
    const { steps, put } = scene((name) => {
      if (name === 'a') throw new Error('broken')
      return undefined
    })
    expect(() => put('a')).toThrow('broken')
    put('b')
    expect(steps).toEqual(['<a', '<b', 'b>'])
  })

  it('is held by a step until its Observable completes', () => {
    const held$ = new Subject<never>()
    const { steps, put, executor } = scene((name) => (name === 'a' ? held$ : undefined))
    put('a')
    put('b')
    executor.close()
    expect(steps).toEqual(['<a', 'a>'])
    held$.complete()
    expect(steps).toEqual(['<a', 'a>', '<b', 'b>', 'ended'])
  })

  it('is not held by an Observable that completes in the call', () => {
    const { steps, put } = scene(() => EMPTY)
    put('a')
    put('b')
    expect(steps).toEqual(['<a', 'a>', '<b', 'b>'])
  })
})
