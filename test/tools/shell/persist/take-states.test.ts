// Tests that states of a shell are taken out of its output, whatever the pieces.
import { from } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { takeStates } from '../../../../lib/tools/shell/persist/take-states.ts'
import type { PrintedState } from '../../../../lib/tools/shell/persist/shell-script.ts'
import type { ConfinedEvent } from '../../../../lib/streams/ports/sandbox.ts'
import { valuesOf } from '../../../support/values-of.ts'

const end: ConfinedEvent = { type: 'end', exitCode: 0, signal: null, cutShort: false, leftBehind: [], survivors: [] }
const state = '\0abc</a/b\n\0A=1\0B=x\ny=z\0>abc\0'

async function taken(pieces: readonly string[], stream: 'stdout' | 'stderr' = 'stdout') {
  const states: (PrintedState | undefined)[] = []
  const events = [...pieces.map((text) => ({ type: 'output', stream, text }) as const), end]
  const values = await valuesOf(from(events).pipe(takeStates('abc', (each) => states.push(each))))
  expect(values.at(-1)).toBe(end)
  return { states, text: values.map((event) => (event.type === 'output' ? event.text : '')).join('') }
}

describe('takeStates', () => {
  const expected = { folder: '/a/b', variables: new Map([['A', '1'], ['B', 'x\ny=z']]) } // prettier-ignore

  it('takes them out, cut at any character', async () => {
    const all = `${state}one\0two${state}`
    for (let at = 0; at <= all.length; at += 1) {
      const { states, text } = await taken([all.slice(0, at), all.slice(at)])
      expect([states, text]).toEqual([[expected, expected], 'one\0two'])
    }
    expect(await taken(Array.from(all))).toEqual({ states: [expected, expected], text: 'one\0two' })
  })

  it.each([
    ['a NUL and a part of a mark at the end', ['a\0ab'], 'a\0ab'],
    ['a mark of another shell', ['\0xyz<1>xyz\0'], '\0xyz<1>xyz\0'],
    ['a state that never ends', ['a\0abc</x', 'y'], 'a'],
  ])('%s', async (_, pieces, text) => {
    expect(await taken(pieces)).toEqual({ states: [], text })
  })

  it('calls with undefined for an empty one', async () => {
    expect(await taken(['\0abc<>abc\0'])).toEqual({ states: [undefined], text: '' })
  })

  it('leaves standard errors as they are', async () => {
    expect(await taken([state], 'stderr')).toEqual({ states: [], text: state })
  })

  it('drops a state beyond 4 Mi units', async () => {
    const { states, text } = await taken(['\0abc<', 'x'.repeat(5 * 1024 * 1024), '\0>abc\0rest'])
    expect(text).toBe('rest')
    expect(states.length).toBeLessThanOrEqual(1)
  })
})
