// Tests what `execute` of a tool may return.
import { of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { progress, textResult } from '../../../lib/streams/ports/tool.ts'
import type { ToolOutput, ToolProgress, ToolResult } from '../../../lib/streams/ports/tool.ts'
import { outputOf } from '../../../lib/streams/tool-definition/tool-output.ts'
import { valuesOf } from '../../support/values-of.ts'

const result = textResult('done')
const half = progress('half', { percent: 50 })

function context(): { readonly signal: AbortSignal; readonly reads: () => number } {
  let reads = 0
  return {
    get signal() {
      reads++
      return new AbortController().signal
    },
    reads: () => reads,
  }
}

async function* returning(): AsyncGenerator<ToolProgress, ToolResult> {
  yield half
  await Promise.resolve()
  return result
}

async function* yielding(): AsyncGenerator<ToolProgress | ToolResult, void> {
  yield half
  await Promise.resolve()
  yield result
}

describe('outputOf', () => {
  it.each<[string, () => ToolOutput, readonly unknown[], number]>([
    ['an Observable', () => of(half, result), [half, result], 0],
    ['a promise', () => Promise.resolve(result), [result], 1],
    ['a value', () => result, [result], 0],
    ['null of untyped code', () => null as never, [null], 0],
    ['a generator that returns its result', returning, [half, result], 1],
    ['a generator that yields its result', yielding, [half, result], 1],
  ])('emits the output of %s', async (_, execute, values, reads) => {
    const surroundings = context()
    expect(await valuesOf(outputOf(execute(), surroundings))).toEqual(values)
    expect(surroundings.reads()).toBe(reads)
  })

  it('returns from a generator when it is unsubscribed', async () => {
    const steps: string[] = []
    async function* endless(): AsyncGenerator<ToolProgress, ToolResult> {
      try {
        for (;;) {
          steps.push('yield')
          yield half
          await Promise.resolve()
        }
      } finally {
        steps.push('finally')
      }
    }
    await new Promise<void>((resolve) => {
      const call = outputOf(endless(), context()).subscribe(() => {
        queueMicrotask(() => {
          call.unsubscribe()
          setTimeout(resolve)
        })
      })
    })
    expect(steps.at(-1)).toBe('finally')
  })

  it('fails as a generator does', async () => {
    async function* failing(): AsyncGenerator<ToolProgress, ToolResult> {
      yield half
      await Promise.reject(new Error('no'))
      return result
    }
    await expect(valuesOf(outputOf(failing(), context()))).rejects.toThrow('no')
  })

  it('makes progress of a text', () => {
    expect(progress('a')).toEqual({ type: 'progress', updateType: 'progress', content: 'a' })
    expect(progress('b', { percent: 5, updateType: 'stdout' })).toEqual({
      type: 'progress',
      updateType: 'stdout',
      content: 'b',
      progressPercent: 5,
    })
  })
})
