// Tests the tools of a session: one build for each change, and layers that fail, are silent or emit by themselves.
import { BehaviorSubject, NEVER, combineLatest, ignoreElements, map, switchMap, tap, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { activateChosen, createToolList } from '../../../lib/session/tools/tool-list.ts'
import type { ToolList, UnpromptedChange } from '../../../lib/session/contract/tool-list-port.ts'
import type { ToolInputs, ToolLayer } from '../../../lib/operators/tool-pipeline/tool-draft.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'

const [a, b] = [fakeTool('a', ''), fakeTool('b', '')]
const inputs: ToolInputs = { base: [a], runtime: [], channel: [], policy: {} }

function active({ built }: ToolList): string {
  return built.active.map(({ name }) => name).join(' ')
}

/** Fails for drafts with a tool `b`. */
const failsForB$: ToolLayer = map((draft) => {
  if (draft.tools.some(({ name }) => name === 'b')) throw new Error('no b')
  return draft
})

describe('createToolList', () => {
  it('builds once when it is made and once for each change [LOOP-37c]', () => {
    let builds = 0
    const list = createToolList(inputs, { cancellation: tap(() => (builds += 1)) })
    expect([active(list), builds]).toEqual(['a', 1])
    list.change({ channel: [b] })
    list.change({ policy: { names: ['b'] } })
    expect([active(list), builds]).toEqual(['b', 3])
    expect([list.built.registered.length, list.built.registered.length]).toEqual([2, 2])
    expect(builds).toBe(3)
  })

  it('keeps tools and inputs if a layer fails, and builds again with the next change', () => {
    const list = createToolList(inputs, { schemas: failsForB$ })
    expect(() => list.change({ channel: [b] })).toThrow(
      expect.objectContaining({ code: 'bad_config', message: 'no b' }) as Error,
    )
    expect([active(list), list.inputs]).toEqual(['a', inputs])
    list.change({ base: [] })
    expect(active(list)).toBe('')
  })

  it.each<readonly [string, ToolLayer]>([
    ['is silent', () => NEVER],
    ['ends', (draft$) => draft$.pipe(ignoreElements())],
    ['answers later', switchMap((draft) => timer(5).pipe(map(() => draft)))],
  ])('refuses a layer that %s', (_, layer) => {
    expect(() => createToolList(inputs, { base: layer })).toThrow(
      expect.objectContaining({ code: 'bad_config', message: expect.stringContaining('at once') as string }) as Error,
    )
  })

  it('refuses a layer that changes the tools while they are built', () => {
    const lists: ToolList[] = []
    const meddles$: ToolLayer = tap(() => lists[0]?.change({}))
    const list = createToolList(inputs, { policy: meddles$ })
    lists.push(list)
    expect(() => list.change({})).toThrow(expect.objectContaining({ code: 'bad_config' }) as Error)
    expect(active(list)).toBe('a')
  })

  it('publishes the tools that a layer emits without a command, before and after', () => {
    const found$ = new BehaviorSubject([a])
    const runtime$: ToolLayer = (draft$) =>
      combineLatest([draft$, found$]).pipe(map(([draft, tools]) => ({ ...draft, tools })))
    const list = createToolList(inputs, { runtime: runtime$ })
    const changes: UnpromptedChange[] = []
    list.unprompted$.subscribe((change) => changes.push(change))
    list.change({ base: [] }) // prompted
    found$.next([b])
    expect(changes).toMatchObject([{ before: { active: [{ name: 'a' }] }, after: { active: [{ name: 'b' }] } }])
    expect(active(list)).toBe('b')
    found$.error(new Error('lost'))
    expect(changes[1]).toMatchObject({ failure: { code: 'bad_config', message: 'lost' } })
    expect(active(list)).toBe('b')
  })

  it('unsubscribes the layers when it is closed, and keeps its tools', () => {
    const found$ = new BehaviorSubject([a])
    const runtime$: ToolLayer = (draft$) =>
      combineLatest([draft$, found$]).pipe(map(([draft, tools]) => ({ ...draft, tools })))
    const list = createToolList(inputs, { runtime: runtime$ })
    let ended = false
    list.unprompted$.subscribe({ complete: () => (ended = true) })
    expect(found$.observed).toBe(true)
    list.close()
    list.change({ policy: { names: [] } })
    expect([found$.observed, ended, active(list)]).toEqual([false, true, 'a'])
  })
})

describe('activateChosen', () => {
  const list = (): ToolList => createToolList({ ...inputs, base: [a, b, fakeTool('read', '')] })

  it.each<readonly [string, Parameters<typeof activateChosen>[1], string, readonly string[]]>([
    ['the requested names', { requested: ['b'], logged: ['a'], configured: ['a'] }, 'b', []],
    [
      'the logged names, and lists those that are gone',
      { requested: undefined, logged: ['gone', 'b'], configured: ['a'] },
      'b',
      ['gone'],
    ],
    [
      'the configured names and the further ones',
      { requested: undefined, logged: undefined, configured: ['b'], further: ['a', 'gone'] },
      'b a',
      [],
    ],
    [
      'the default names that are registered',
      { requested: undefined, logged: undefined, configured: undefined },
      'read',
      [],
    ],
  ])('activates %s', (_, names, expected, missing) => {
    const chosen = activateChosen(list(), names)
    expect([active(chosen.toolList), chosen.missing]).toEqual([expected, missing])
  })

  it('closes the list if a name is not registered', () => {
    const opened = list()
    let ended = false
    opened.unprompted$.subscribe({ complete: () => (ended = true) })
    expect(() => activateChosen(opened, { requested: ['gone'], logged: undefined, configured: undefined })).toThrow(
      expect.objectContaining({ code: 'bad_request' }) as Error,
    )
    expect(ended).toBe(true)
  })
})
