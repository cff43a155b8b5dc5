// Tests that a command is started again if bubblewrap could not mount what vanished meanwhile.
import { from, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { repeatIfNotStarted } from '../../../lib/host/sandbox/spawn-inside.ts'
import type { SandboxedEvent } from '../../../lib/host/sandbox/spawn-inside.ts'
import { valuesOf } from '../../support/values-of.ts'

const err = (text: string): SandboxedEvent => ({ type: 'output', stream: 'stderr', text })
const out = (text: string): SandboxedEvent => ({ type: 'output', stream: 'stdout', text })
const end = (exitCode: number): SandboxedEvent => ({ type: 'end', exitCode, signal: null, cutShort: false, leftBehind: [], survivors: [] }) // prettier-ignore
const message = "bwrap: Can't create file at /x: Read-only file system\n"
const second = [out('ran'), end(0)]

const played = (events: readonly SandboxedEvent[]) =>
  valuesOf(from(events).pipe(repeatIfNotStarted(() => from(second))))

describe('repeatIfNotStarted', () => {
  it('starts again after the message, in whatever pieces it arrives', async () => {
    for (let at = 0; at <= message.length; at += 1) {
      const pieces = [message.slice(0, at), message.slice(at)].filter((text) => text !== '').map(err)
      expect(await played([...pieces, end(1)])).toEqual(second)
    }
  })

  it.each([
    ['another exit code', [err(message), end(2)]],
    ['output before it', [out('a'), err(message), end(1)]],
    ['output behind it', [err(message), out('a'), end(1)]],
    ['another message in pieces', [err('bwrap: '), err('no'), err('more'), end(1)]],
    ['a beginning alone', [err('bwr'), end(1)]],
    ['no output', [end(1)]],
    ['a long text behind it', [err(message), err('x'.repeat(5_000)), err('y'), end(1)]],
  ])('passes everything on in order with %s', async (_, events) => {
    expect(await played(events)).toEqual(events)
  })

  it('passes everything on without another try', async () => {
    expect(await valuesOf(of(err(message), end(1)).pipe(repeatIfNotStarted(undefined)))).toEqual([err(message), end(1)])
  })
})
