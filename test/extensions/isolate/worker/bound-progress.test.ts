// Tests the bound of the progress of a tool in a worker: what waits is joined, and gaps show in the offset.
import { Subject } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { boundProgress } from '../../../../lib/extensions/isolate/worker/bound-progress.ts'
import type { ServedCall } from '../../../../lib/extensions/isolate/link/served-calls.ts'
import { progress, textResult } from '../../../../lib/streams/ports/tool.ts'
import type { ToolProgress, ToolResult } from '../../../../lib/streams/ports/tool.ts'

type Value = ToolProgress | ToolResult

function start() {
  const call = {
    ...{ id: 1, signal: new AbortController().signal, waiting: 0, holdUntil: () => undefined },
    onTaken: () => undefined,
  } satisfies ServedCall
  const source$ = new Subject<Value>()
  const values: Value[] = []
  source$.pipe(boundProgress(call)).subscribe((value) => {
    values.push(value)
    call.waiting += 1
  })
  const take = (): void => {
    call.waiting -= 1
    call.onTaken()
  }
  return { source$, values, take }
}

const stdout = (content: string, offset?: number): ToolProgress => ({
  ...{ type: 'progress', updateType: 'stdout', content },
  ...(offset === undefined ? {} : { offset }),
})

describe('the progress of a tool', () => {
  it('passes 16 pieces, joins what waits by kind, and brings it before the result', () => {
    const { source$, values, take } = start()
    for (let piece = 0; piece < 16; piece += 1) source$.next(stdout('x'))
    source$.next(stdout('ab'))
    source$.next(progress('other'))
    source$.next(stdout('cd'))
    expect(values).toHaveLength(16)
    take()
    expect(values.slice(16)).toEqual([stdout('abcd', 16)])
    source$.next(textResult('done'))
    expect(values.slice(17)).toEqual([{ ...progress('other'), offset: 0 }, textResult('done')])
  })

  it('leaves the last 64 Ki characters of what waits, and keeps the offsets of the tool', () => {
    const { source$, values, take } = start()
    source$.next(stdout('y'.repeat(70_000)))
    expect(values).toEqual([stdout('y'.repeat(65_536), 70_000 - 65_536)])
    for (let piece = 1; piece < 16; piece += 1) source$.next(stdout('z'))
    source$.next(stdout('before'))
    source$.next(stdout('after the gap', 80_000))
    take()
    expect(values.at(-1)).toEqual(stdout('after the gap', 80_000))
  })
})
