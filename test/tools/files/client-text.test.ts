// Tests the file tools with a client that offers its files: unsaved texts, changes, refusals, failures.
// Over 250 lines: one client, and each of its behaviours for the tools that read and change.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { NEVER, Observable, Subscription, defer, lastValueFrom, of, throwError } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { builtInTools } from '../../../lib/tools/index.ts'
import type { ClientFiles } from '../../../lib/streams/environment/file-exchange.ts'
import type { ToolContext, ToolResult } from '../../../lib/streams/ports/tool.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { call, resultOf, testContext } from '../../contract/tool-contract.ts'
import { fakeSandbox } from '../../support/fake-sandbox.ts'
import { openFence } from '../faults/open-fence.ts'

let folder: string
let tools: ReturnType<typeof builtInTools>
/** The client's texts by name. */
let buffers: Map<string, string>
let requests: string[]
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-client-text-')))
  tools = builtInTools()
  buffers = new Map()
  requests = []
})
afterEach(() => rmSync(folder, { recursive: true }))

const at = (...names: readonly string[]): string => path.join(folder, ...names)
const disk = (name: string): string => readFileSync(at(name), 'utf8')

/** A client that saves what it takes. */
const saving = (more: Partial<ClientFiles> = {}): ClientFiles => ({
  canWrite: true,
  read: (file) =>
    defer(() => {
      requests.push(`read ${file}`)
      return of(buffers.get(path.relative(folder, file)))
    }),
  write: (file, text) =>
    defer(() => {
      requests.push(`write ${file}`)
      buffers.set(path.relative(folder, file), text)
      writeFileSync(file, text)
      return of(undefined)
    }),
  ...more,
})
const forgetful = (): ClientFiles =>
  saving({
    write: (file, text) =>
      defer(() => {
        buffers.set(path.relative(folder, file), text)
        return of(undefined)
      }),
  })

const run = (name: string, args: object, files?: ClientFiles, more: Partial<ToolContext> = {}): Promise<ToolResult> => {
  const tool = tools.find((each) => each.name === name)
  if (tool === undefined) throw new Error(`There is no tool ${name}`)
  return resultOf(tool, args, testContext(folder, { clientFiles: () => files, ...more }))
}
const allText = ({ content }: ToolResult): string => content.map((part) => (part.type === 'text' ? part.text : '')).join('\n') // prettier-ignore
const edit = (file: string, oldText: string, newText: string, files?: ClientFiles) =>
  run('edit', { path: file, edits: [{ oldText, newText }] }, files)

describe('read with a client', () => {
  it('shows its text, and says that it is not saved', async () => {
    writeFileSync(at('a.txt'), 'saved\n')
    buffers.set('a.txt', 'typed\n')
    const text = allText(await run('read', { path: 'a.txt' }, saving()))
    expect(text).toContain('typed\n')
    expect(text).not.toContain('saved\n')
    expect(text).toContain('has changes of this file that are not saved')
    expect(requests).toEqual([`read ${at('a.txt')}`])
  })

  it('shows a part of its text, anchors of its text, and a file that is not on the disk', async () => {
    buffers.set('new.txt', 'one\ntwo\nthree\n')
    expect(allText(await run('read', { path: 'new.txt', offset: 2, limit: 1 }, saving()))).toMatch(/^two\n\[Lines 2-2/)
    expect(allText(await run('read', { path: 'new.txt', hashes: true }, saving()))).toMatch(/:three/)
    await expect(run('read', { path: 'none.txt' }, saving()).then(allText)).resolves.toContain('none.txt')
  })

  it.each([
    ['line ends', 'a\r\nb\r\n', 'a\nb\n'],
    ['a byte order mark', '\u{FEFF}a\n', 'a\n'],
    ['nothing', 'a\n', 'a\n'],
    ['an empty file', '', ''],
  ])('says nothing if it differs from the disk by %s', async (_, saved, typed) => {
    writeFileSync(at('a.txt'), saved)
    buffers.set('a.txt', typed)
    expect((await run('read', { path: 'a.txt' }, saving())).content).toHaveLength(1)
  })

  it('does not ask about what is no text, about folders, and about files outside', async () => {
    writeFileSync(at('a.bin'), Buffer.from([1, 0, 2]))
    writeFileSync(at('a.ipynb'), '{"cells":[]}')
    mkdirSync(at('sub'))
    const other = mkdtempSync(path.join(tmpdir(), 'rxpi-client-text-other-'))
    try {
      writeFileSync(path.join(other, 'a.txt'), 'outside')
      symlinkSync(path.join(other, 'a.txt'), at('link.txt'))
      for (const name of ['a.bin', 'a.ipynb', 'sub', path.join(other, 'a.txt')])
        await run('read', { path: name }, saving())
      expect(allText(await run('read', { path: 'link.txt' }, saving()))).toBe('outside')
      expect(requests).toEqual([])
    } finally {
      rmSync(other, { recursive: true })
    }
  })

  it('names a file below a linked folder of the session as the client does', async () => {
    mkdirSync(at('real'))
    writeFileSync(at('real/a.txt'), 'saved')
    symlinkSync(at('real'), at('linked'))
    await run('read', { path: 'a.txt' }, saving(), { cwd: at('linked') })
    expect(requests).toEqual([`read ${at('linked/a.txt')}`])
  })

  it.each([
    ['fails', () => throwError(() => new Failure('timeout', 'the client did not answer within 10 s')), 'within 10 s'],
    ['ends without an answer', () => new Observable<never>((subscriber) => subscriber.complete()), 'did not answer'],
  ])('shows the disk and says so if the client %s', async (_, read, reason) => {
    writeFileSync(at('a.txt'), 'saved\n')
    const text = allText(await run('read', { path: 'a.txt' }, saving({ read })))
    expect(text).toMatch(/^saved\n/)
    expect(text).toContain('This is the file on the disk')
    expect(text).toContain(reason)
  })

  it('cancels the call at the client if the run is aborted', async () => {
    writeFileSync(at('a.txt'), 'saved')
    const states: string[] = []
    const read$ = (): Observable<never> =>
      new Observable(() => {
        states.push('called')
        return () => void states.push('cancelled')
      })
    const tool = tools.find(({ name }) => name === 'read')
    if (tool === undefined) throw new Error('no read')
    const running$ = call(tool, { path: 'a.txt' }, testContext(folder, { clientFiles: () => saving({ read: read$ }) }))
    const running = running$.subscribe()
    await vi.waitFor(() => expect(states).toEqual(['called']), { timeout: 10_000 })
    running.unsubscribe()
    await vi.waitFor(() => expect(states).toEqual(['called', 'cancelled']), { timeout: 10_000 })
  })
})

describe('changes with a client', () => {
  it('work on its text and are written by it', async () => {
    writeFileSync(at('a.txt'), 'one\n')
    buffers.set('a.txt', 'one\ntyped\n')
    const result = await edit('a.txt', 'typed', 'changed', saving())
    expect(allText(result)).not.toContain('Note')
    expect(buffers.get('a.txt')).toBe('one\nchanged\n')
    expect(disk('a.txt')).toBe('one\nchanged\n')
    expect(requests).toEqual([`read ${at('a.txt')}`, `write ${at('a.txt')}`])
    expect(result.details).toMatchObject({ diff: expect.stringContaining('-typed\n+changed') as string })
  })

  it('by anchors work on its text too', async () => {
    buffers.set('a.txt', 'one\ntyped\n')
    const shown = allText(await run('read', { path: 'a.txt', hashes: true }, saving()))
    const pos = /(\S+):typed/.exec(shown)?.[1]
    const result = await run(
      'hashline_edit',
      { path: 'a.txt', edits: [{ op: 'replace', pos, lines: ['changed'] }] },
      saving(),
    )
    expect(result.isError).toBeUndefined()
    expect(buffers.get('a.txt')).toBe('one\nchanged\n')
  })

  it('create a file by it, with the folders', async () => {
    const result = await run('write', { path: 'deep/a.txt', content: 'new' }, saving())
    expect(allText(result)).toMatch(/^Created/)
    expect([buffers.get('deep/a.txt'), disk('deep/a.txt')]).toEqual(['new', 'new'])
  })

  it('are refused if the person typed since the model read the file', async () => {
    writeFileSync(at('a.txt'), 'one\n')
    buffers.set('a.txt', 'one\n')
    await run('read', { path: 'a.txt' }, saving())
    buffers.set('a.txt', 'one\ntyped\n')
    const result = await run('write', { path: 'a.txt', content: 'two\n' }, saving())
    expect(result.isError).toBe(true)
    expect(allText(result)).toMatch(/has changed since you last read it.*\+typed/s)
    expect(buffers.get('a.txt')).toBe('one\ntyped\n')
  })

  it('that are not saved are told to the model, and the next calls see them', async () => {
    writeFileSync(at('a.txt'), 'one\n')
    buffers.set('a.txt', 'one\n')
    const result = await edit('a.txt', 'one', 'two', forgetful())
    expect(allText(result)).toContain('the file on the disk is another one')
    expect(disk('a.txt')).toBe('one\n')
    expect(allText(await edit('a.txt', 'two', 'three', forgetful()))).not.toContain('had changed')
    expect((await run('write', { path: 'a.txt', content: 'four\n' }, forgetful())).isError).toBeUndefined()
    expect(buffers.get('a.txt')).toBe('four\n')
    // without the client, the file is not the one that the model knows
    const refused = await run('write', { path: 'a.txt', content: 'five\n' })
    expect(allText(refused)).toContain('has changed since you last read it')
    expect(disk('a.txt')).toBe('one\n')
  })

  it('of a new file that is not saved can go on', async () => {
    await run('write', { path: 'a.txt', content: 'one\n' }, forgetful())
    expect(allText(await edit('a.txt', 'one', 'two', forgetful()))).toMatch(/^Made 1 edit/)
    expect(allText(await run('write', { path: 'a.txt', content: 'three\n' }, forgetful()))).toMatch(/^Replaced/)
    expect(buffers.get('a.txt')).toBe('three\n')
  })

  it('are refused if the client takes none and has changes that are not saved', async () => {
    writeFileSync(at('a.txt'), 'one\n')
    buffers.set('a.txt', 'one\ntyped\n')
    const result = await edit('a.txt', 'one', 'two', saving({ canWrite: false }))
    expect(allText(result)).toContain('Ask the user to save the file first')
    buffers.set('a.txt', 'one\n')
    expect(allText(await edit('a.txt', 'one', 'two', saving({ canWrite: false })))).toMatch(/^Made 1 edit/)
    expect(disk('a.txt')).toBe('two\n')
    expect(requests.some((request) => request.startsWith('write'))).toBe(false)
  })

  it('that the client does not confirm are errors, and nothing is written to the disk', async () => {
    writeFileSync(at('a.txt'), 'one\n')
    buffers.set('a.txt', 'one\n')
    const write$ = () => throwError(() => new Failure('disconnected', 'the client left the session'))
    const result = await edit('a.txt', 'one', 'two', saving({ write: write$ }))
    expect(result.isError).toBe(true)
    expect(allText(result)).toMatch(/did not confirm.*left the session.*read the file again/s)
    expect(disk('a.txt')).toBe('one\n')
  })

  it('go to the disk if the client cannot be read, and say so', async () => {
    writeFileSync(at('a.txt'), 'one\n')
    const read$ = () => throwError(() => new Failure('disconnected', 'the client left the session'))
    expect(allText(await edit('a.txt', 'one', 'two', saving({ read: read$ })))).toMatch(/Note:.*left the session/)
    expect(disk('a.txt')).toBe('two\n')
  })

  it('of files that are no text are not the client’s', async () => {
    writeFileSync(at('a.bin'), Buffer.from([0xff, 0xfe, 0]))
    expect(allText(await run('write', { path: 'a.bin', content: 'text' }, saving()))).toMatch(/^Replaced/)
    expect(requests).toEqual([])
  })

  it('show a diff to the client’s text in the question about them', async () => {
    writeFileSync(at('a.txt'), 'one\n')
    buffers.set('a.txt', 'typed\n')
    const args = { path: 'a.txt', edits: [{ oldText: 'typed', newText: 'two' }] }
    const preview$ = tools.find(({ name }) => name === 'edit')?.previewDiff?.(args as never, { cwd: folder, clientFiles: () => saving() }) // prettier-ignore
    if (preview$ === undefined) throw new Error('no preview')
    expect(await lastValueFrom(preview$, { defaultValue: undefined })).toContain('-typed\n+two')
  })
})

describe('a client beside the sandbox', () => {
  const sandboxWith = (exchange: (() => Subscription | undefined) | undefined) => {
    const { fence } = openFence(folder)
    const own = { profile: 'workspace', fence, fenceOf: () => fence, spawn: () => NEVER } as const
    return fakeSandbox(exchange === undefined ? own : { ...own, exchange })
  }

  it('is asked while no program runs inside, and programs wait meanwhile', async () => {
    writeFileSync(at('a.txt'), 'one\n')
    buffers.set('a.txt', 'typed\n')
    let open = 0
    const states: number[] = []
    const exchange = () => {
      open += 1
      return new Subscription(() => (open -= 1))
    }
    const files = saving({ read: () => defer(() => of((states.push(open), 'typed\n'))) })
    const sandbox = sandboxWith(exchange)
    expect(allText(await run('read', { path: 'a.txt' }, files, { sandbox }))).toContain('typed')
    await run('edit', { path: 'a.txt', edits: [{ oldText: 'typed', newText: 'two' }] }, files, { sandbox })
    expect([states, open]).toEqual([[1, 1], 0])
  })

  it.each([
    ['while a program runs inside', () => undefined],
    ['if the sandbox knows no exchanges', undefined],
  ])('is not asked %s', async (_, exchange) => {
    writeFileSync(at('a.txt'), 'saved\n')
    const sandbox = sandboxWith(exchange)
    const shown = allText(await run('read', { path: 'a.txt' }, saving(), { sandbox }))
    expect(shown).toMatch(/^saved\n/)
    expect(shown).toContain('not asked while a command runs in the sandbox')
    const result = await run('write', { path: 'a.txt', content: 'new\n' }, saving(), { sandbox })
    expect(allText(result)).toContain('not asked while a command runs')
    expect([requests, disk('a.txt')]).toEqual([[], 'new\n'])
  })
})
