// Tests the order of observed hooks, what joins old sessions, and that policies only tighten.
import { Type } from '@sinclair/typebox'
import { Subject, map, of, take } from 'rxjs'
import { afterEach, describe, expect, it } from 'vitest'
import type { ExtensionDefinition } from '../../../lib/extensions/index.ts'
import { memoryStore } from '../../../lib/store/index.ts'
import type { CreateSessionOptions } from '../../../lib/session/create/create-session-options.ts'
import { custom } from '../../../lib/streams/events/custom-event.ts'
import { defineTool } from '../../../lib/streams/tool-definition/define-tool.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import { callCount, count, extension, faults, named, open, run, closeOpened } from './extension-scene.ts'

afterEach(closeOpened)

describe('an observed hook', () => {
  it('is called by priority, then in the order of loading, and waits for none before it', () => {
    const order: string[] = []
    const slow$ = new Subject<void>()
    const add = (name: string, priority: number, isSlow = false) =>
      extension(
        ({ hooks }) =>
          void hooks.on(
            'message_end',
            ({ message: { role } }) => {
              order.push(`${name} ${role}`)
              return isSlow ? slow$.pipe(take(1)) : undefined
            },
            { priority },
          ),
        { name },
      )
    run(open([add('low', 0), add('high', 5, true), add('second', 0)], ['Hello']))
    expect(order).toEqual(['user', 'assistant'].flatMap((role) => ['high', 'low', 'second'].map((each) => `${each} ${role}`))) // prettier-ignore
  })
})

describe('a tool of an extension in an old session', () => {
  const counting = extension(({ tools }) => void tools.register(count))
  const other = defineTool({ ...count, name: 'other', parameters: Type.Object({}), execute: () => textResult('other') })
  const both = extension(({ tools }) => {
    tools.register(count)
    tools.register(other)
  })
  /** Opens a session, acts in it, and opens it again: the names of its active tools. */
  const reopened = (
    first: readonly ExtensionDefinition[],
    act: readonly (readonly string[])[],
    then: readonly ExtensionDefinition[],
    options: CreateSessionOptions = {},
  ): readonly string[] => {
    const store = memoryStore()
    const state = open(first, ['Hello'], { store, ...options })
    run(state)
    for (const tools of act) state.session.send({ type: 'set_active_tools', tools: [...tools] }).subscribe()
    state.session.close().subscribe()
    const again = open(then, [], { store, sessionId: state.session.id }).session
    const names = again.activeTools.map(({ name }) => name)
    again.close().subscribe()
    return names
  }

  it('is active if it is new there', () => {
    expect(reopened([], [], [counting])).toEqual(['count'])
    expect(reopened([counting], [], [both])).toEqual(['count', 'other'])
  })

  it('stays off if a client switched it off, until a client switches it on', () => {
    expect(reopened([both], [['count']], [both])).toEqual(['count'])
    expect(reopened([both], [['count'], ['other'], ['other', 'count']], [both])).toEqual(['other', 'count'])
  })

  it('stays off if the session was opened with other tools', () => {
    expect(reopened([counting], [], [counting], { tools: ['read'] })).toEqual(['read'])
  })

  it('comes back with its extension', () => {
    const store = memoryStore()
    const first = open([counting], ['Hello'], { store })
    run(first)
    first.session.close().subscribe()
    const without = open([], ['Hello'], { store, sessionId: first.session.id })
    run(without)
    without.session.close().subscribe()
    const again = open([counting], [], { store, sessionId: first.session.id })
    expect(again.session.activeTools.map(({ name }) => name)).toEqual(['count'])
  })
})

describe('policy.tighten', () => {
  it('can neither change arguments nor undo a question or a block [S1d]', () => {
    const loose = extension(
      ({ policy }) =>
        void policy.tighten(() => ({ args: { to: 99 }, ask: undefined, block: undefined, allow: true }) as never, {
          priority: -1,
        }),
      { name: 'loose' },
    )
    const asking = extension(
      ({ hooks, tools }) => {
        tools.register(count)
        hooks.on('tool_call', ({ args }) => (args['to'] === 3 ? { ask: { reason: 'three' } } : undefined))
      },
      { name: 'asking' },
    )
    const questioned = open([asking, loose], [callCount, 'Done'], { approve: () => ({ decision: 'deny' as const }) })
    run(questioned)
    expect(named(questioned, 'tool_execution_end')[0]?.isError).toBe(true) // nobody can answer
    const ran = open([extension(({ tools }) => void tools.register(count)), loose], [callCount, 'Done'])
    run(ran)
    expect(named(ran, 'tool_execution_end')[0]?.content).toEqual([{ type: 'text', text: 'counted to 3' }])
    const blocking = extension(({ policy }) => void policy.tighten(() => ({ block: { reason: 'no' } })), {
      name: 'gate',
    })
    const blocked = open([asking, blocking, loose], [{ toolCalls: [{ name: 'count', arguments: { to: 4 } }] }, 'Done'])
    run(blocked)
    expect(named(blocked, 'tool_execution_end')[0]).toMatchObject({ isError: true, content: [{ text: 'no' }] })
    expect([...faults(questioned), ...faults(blocked)]).toEqual([])
  })
})

describe('a derived stream', () => {
  it('gets the custom events of others, and none of its own extension', () => {
    const got: string[] = []
    const watch = (name: string) =>
      extension(
        ({ events }) => {
          events.derive(() => of(custom(`${name} one`, null), custom(`${name} two`, null)))
          events.derive((event$) =>
            event$.pipe(
              map((event) => {
                if (event.type === 'custom') got.push(`${name} gets ${event.customType}`)
                return custom('marker', null)
              }),
              take(0),
            ),
          )
          events.event$.subscribe((event) => {
            if (event.type === 'custom') got.push(`${name} observes ${event.customType}`)
          })
        },
        { name },
      )
    const state = open([watch('a'), watch('b')], ['Hello'])
    run(state)
    expect(got.filter((line) => /^a .* a /.test(line) || /^b .* b /.test(line))).toEqual([])
    expect(got).toContain('a observes b one')
  })
})
