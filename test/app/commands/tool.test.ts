// Tests `rxpi tool`.
import { NEVER, finalize, firstValueFrom, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { ToolResult } from '../../../lib/streams/ports/tool.ts'
import type { ToolInvocation } from '../../../app/cli/invocation.ts'
import { tool } from '../../../app/commands/tool.ts'
import { fakeWorld } from '../../support/fake-world.ts'
import type { FakeWorld } from '../../support/fake-world.ts'

const call: ToolInvocation = { mode: 'tool', name: 'read', args: { path: 'a' }, cwd: '/here', json: false }

function begin(own: FakeWorld, more: Partial<ToolInvocation> = {}): Promise<number> {
  return firstValueFrom(tool({ ...call, ...more }, own.world), { defaultValue: -1 })
}

const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const

describe('rxpi tool', () => {
  it.each<[string, ToolResult, number, string]>([
    ['text', { type: 'result', content: [{ type: 'text', text: 'a\nb' }] }, 0, 'a\nb\n'],
    ['text that ends its line', { type: 'result', content: [{ type: 'text', text: 'a\n' }] }, 0, 'a\n'],
    [
      'an image by its type',
      { type: 'result', content: [{ type: 'text', text: 'a' }, image] },
      0,
      'a\n[image: image/png]\n',
    ],
    ['nothing', { type: 'result', content: [] }, 0, ''],
    ['an error', { type: 'result', content: [{ type: 'text', text: 'no' }], isError: true }, 1, 'no\n'],
  ])('prints %s [CLI-tool]', async (_, result, code, wanted) => {
    const own = fakeWorld({ runTool: () => of(result) })
    expect([await begin(own), own.stdout.written]).toEqual([code, wanted])
  })

  it('prints one JSON document with --json [CLI-document]', async () => {
    const own = fakeWorld({ runTool: () => of({ type: 'result', content: [], details: { a: 1 }, isError: true }) })
    expect([await begin(own, { json: true }), own.stdout.written]).toEqual([
      1,
      '{"content":[],"isError":true,"details":{"a":1}}\n',
    ])
  })

  it('sends folder, environment and arguments [CLI-tool]', async () => {
    let options: unknown
    const own = fakeWorld({
      runTool: (command) => {
        options = command
        return of({ type: 'result', content: [] })
      },
    })
    await begin(own)
    expect(options).toEqual({ name: 'read', args: { path: 'a' }, cwd: '/here', env: { HOME: '/home/me' } })
  })

  it('cancels the call at a signal', async () => {
    let ended = false
    const own = fakeWorld({ runTool: () => NEVER.pipe(finalize(() => (ended = true))) })
    const code = begin(own)
    own.signal('SIGINT')
    expect([await code, ended]).toEqual([130, true])
  })
})
