// Tests a session with extensions: what they register works, ends with them, and their faults stay theirs.
// Over 250 lines: each part of the api once, in one session that runs.
import { Type } from '@sinclair/typebox'
import { EMPTY, NEVER, map, of, throwError } from 'rxjs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { custom } from '../../../lib/streams/events/custom-event.ts'
import { defineExtension } from '../../../lib/extensions/index.ts'
import type { CompactAnswer, ExtensionApi } from '../../../lib/extensions/index.ts'
import { ofType } from '../../../lib/operators/events/select-events.ts'
import { promptSection } from '../../../lib/operators/context/prompt-section.ts'
import { callCount, count, extension, faults, named, open, run, statesOf, closeOpened } from './extension-scene.ts'

afterEach(closeOpened)

describe('a tool of an extension', () => {
  it('is active, and runs', () => {
    const state = open([extension(({ tools }) => void tools.register(count))], [callCount, 'Done'])
    expect(state.session.activeTools.map(({ name }) => name)).toEqual(['count'])
    run(state)
    expect(named(state, 'tool_execution_end')[0]?.content).toEqual([{ type: 'text', text: 'counted to 3' }])
  })

  it('needs a capability of the manifest', () => {
    const state = open([extension(({ tools }) => void tools.register({ ...count, capability: 'exec' }))], [])
    expect(state.session.activeTools).toEqual([])
    expect(statesOf(state)).toEqual(['failed'])
    const warnings = [...state.session.logged()].map(({ event }) => JSON.stringify(event))
    expect(warnings.join()).toContain('its manifest does not name the capability exec')
  })

  it('replaces a built-in tool only if the manifest says so, and keeps its capability', () => {
    const read = { ...count, name: 'bash' }
    const refused = open([extension(({ tools }) => void tools.register(read))], ['Hello'], {
      settings: { tools: ['bash'] },
    })
    expect(refused.session.registeredTools.find(({ name }) => name === 'bash')?.description).not.toBe('Counts')
    const allowed = extension(({ tools }) => void tools.register(read), { replaces: ['bash'] })
    const replaced = open([allowed], ['Hello'], { settings: { tools: ['bash'] } }).session.registeredTools
    expect(replaced.filter(({ name }) => name === 'bash')).toEqual([
      expect.objectContaining({ description: 'Counts', capability: 'exec' }),
    ])
  })
})

describe('the hooks of extensions', () => {
  it('are called in the order of their priority, each with what the one before it made', () => {
    const order: string[] = []
    const add = (name: string, priority: number) =>
      extension(
        ({ hooks }) => {
          hooks.on(
            'input',
            ({ text }) => {
              order.push(name)
              return { text: `${text} ${name}` }
            },
            { priority },
          )
        },
        { name },
      )
    const state = open([add('low', 0), add('high', 5), add('second', 0)], ['Hello'])
    run(state)
    expect(order).toEqual(['high', 'low', 'second'])
    expect(state.requests[0]?.messages.at(-1)).toMatchObject({ content: 'Hi high low second' })
  })

  it('change arguments and results of tools, and block calls', () => {
    const changing = extension(({ hooks, tools }) => {
      tools.register(count)
      hooks.on('tool_call', ({ args }) => ({ args: { to: Number(args['to']) + 1 } }))
      hooks.on('tool_result', ({ result }) => of({ ...result, details: { marked: true } }))
    })
    const state = open([changing], [callCount, 'Done'])
    run(state)
    expect(named(state, 'tool_execution_end')[0]).toMatchObject({
      content: [{ text: 'counted to 4' }],
      details: { marked: true },
    })
    const blocking = extension(
      ({ policy }) => void policy.tighten(({ args }) => (args['to'] === 4 ? { block: { reason: 'not 4' } } : {})),
      { name: 'gate' },
    )
    const blocked = open([changing, blocking], [callCount, 'Done'])
    run(blocked)
    expect(named(blocked, 'tool_execution_end')[0]).toMatchObject({ isError: true, content: [{ text: 'not 4' }] })
  })

  it('observe messages, the session and the end of a run, which they can continue', () => {
    const notes: string[] = []
    const watching = extension(({ hooks }) => {
      hooks.on('session_start', ({ reason }) => void notes.push(`start ${reason}`))
      hooks.on('before_agent_start', ({ prompt }) => ({ note: `Prompt was ${prompt}` }))
      hooks.on('turn_start', ({ turnIndex }) => void notes.push(`turn ${turnIndex}`))
      hooks.on('turn_end', ({ turnIndex }) => void notes.push(`end of turn ${turnIndex}`))
      hooks.on('message_end', ({ message: { role } }) => void notes.push(role))
      hooks.on('agent_end', ({ continued }) => (continued === 0 ? { continueWith: 'Go on' } : undefined))
      hooks.on('agent_settled', () => void notes.push('settled'))
      hooks.on('shutdown', ({ reason }) => void notes.push(`shutdown ${reason}`))
    })
    const state = open([watching], ['Hello', 'Bye'])
    run(state)
    state.session.close().subscribe()
    expect(notes).toEqual([
      'start new',
      ...['context', 'user', 'turn 0', 'assistant', 'end of turn 0'],
      ...['user', 'turn 1', 'assistant', 'end of turn 1'],
      ...['settled', 'shutdown close'],
    ])
    expect(state.requests[0]?.messages.map(({ content }) => content)).toContain('Prompt was Hi')
  })

  it('fail closed about a call, and are skipped elsewhere', () => {
    const broken = extension(({ hooks, tools, context, stopRules }) => {
      tools.register(count)
      hooks.on('input', () => throwError(() => new Error('no input')))
      hooks.on('tool_call', () => {
        throw new Error('no decision')
      })
      context.transform(() => EMPTY)
      stopRules.add({
        name: 'broken',
        matches: () => {
          throw new Error('no rule')
        },
      })
    })
    const state = open([broken], [callCount, 'Done'])
    run(state)
    expect(named(state, 'agent_end')[0]?.terminationReason).toBe('completed')
    expect(named(state, 'tool_execution_end')[0]).toMatchObject({ isError: true })
    expect(faults(state)).toEqual([
      'The extension probe failed in the hook input: no input',
      'The extension probe failed in a context transform: it completed without a context',
      'The extension probe failed in the hook tool_call: no decision',
      'The extension probe failed in the stop rule broken: no rule',
      'The extension probe failed in a context transform: it completed without a context',
    ])
  })

  it('end after their time limit, and ten faults end the extension', () => {
    vi.useFakeTimers()
    try {
      const endless = extension(({ hooks, tools }) => {
        tools.register(count)
        hooks.on('tool_call', () => NEVER, { limitMs: 20 })
      })
      const state = open([endless], [...Array.from({ length: 10 }, () => callCount), callCount, 'Done'])
      run(state)
      vi.advanceTimersByTime(1_000)
      expect(faults(state)).toHaveLength(10)
      expect(statesOf(state)).toEqual(['active', 'quarantined'])
      expect(named(state, 'agent_end')[0]?.terminationReason).toBe('completed')
      expect(state.session.activeTools).toEqual([])
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('what an extension derives', () => {
  it('is recorded after its cause; it never gets its own events, and a circle ends', () => {
    const notes: string[] = []
    const echo = (name: string) =>
      extension(
        ({ events }) => {
          events.derive((event$) =>
            event$.pipe(
              ofType('custom'),
              map(({ customType }) => {
                notes.push(`${name} gets ${customType}`)
                return custom(name, null)
              }),
            ),
          )
        },
        { name },
      )
    const first = extension(
      ({ events }) => {
        events.derive((event$) =>
          event$.pipe(
            ofType('turn_end'),
            map(() => custom('start', { turn: 1 })),
          ),
        )
      },
      { name: 'first' },
    )
    const state = open([first, echo('a'), echo('b')], ['Hello'])
    run(state)
    expect(named(state, 'custom')[0]).toEqual(custom('start', { turn: 1 }))
    expect(notes).not.toContain('a gets a')
    expect(named(state, 'custom').length).toBeLessThan(40)
    expect(faults(state)).not.toEqual([])
    expect(faults(state).filter((message) => !message.includes('circle'))).toEqual([])
  })

  it('can be custom events only', () => {
    const state = open(
      [extension(({ events }) => void events.derive((event$) => event$.pipe(ofType('turn_end')) as never))],
      ['Hello'],
    )
    run(state)
    expect(faults(state)).toEqual([
      'The extension probe failed in a derived stream: a derived stream emits events of the type "custom" only; make them with custom(type, data)',
    ])
  })
})

describe('a command of an extension', () => {
  const commands = extension(({ commands: { register } }) => {
    register({ name: 'hello', description: 'Greets', run: (args) => `Hello ${args}` })
    register({ name: 'ask', description: 'Asks', run: (args) => of({ prompt: `Please: ${args}` }) })
    register({
      name: 'broken',
      description: 'Fails',
      run: () => {
        throw new Error('it broke')
      },
    })
  })

  it('runs without a run, and says something [COMMAND-extension_command]', () => {
    const state = open([commands], ['Hello'])
    const answers: object[] = []
    state.session.send({ type: 'prompt', text: '/hello you' }).subscribe((answer) => answers.push(answer))
    expect(answers).toEqual([{ status: 'handled', text: 'Hello you' }])
    expect(state.requests).toEqual([])
  })

  it('may be a prompt', () => {
    const state = open([commands], ['Hello'])
    run(state, '/ask why')
    expect(state.requests[0]?.messages.at(-1)).toMatchObject({ content: 'Please: why' })
  })

  it('fails with the name of the extension', () => {
    const state = open([commands], ['Hello'])
    const errors: unknown[] = []
    state.session.send({ type: 'prompt', text: '/broken' }).subscribe({ error: (error: unknown) => errors.push(error) })
    expect(errors).toEqual([
      expect.objectContaining({ message: 'The extension probe failed in the command /broken: it broke' }),
    ])
  })

  it('is in the list, before a file of the same name', () => {
    const state = open([commands], [])
    const lists: (readonly string[])[] = []
    state.session.commands?.list().subscribe((list) => lists.push(list.commands.map(({ name }) => name)))
    expect(lists).toEqual([['hello', 'ask', 'broken']])
  })
})

describe('an extension', () => {
  it('changes the sections of the prompt and the context, by priority', () => {
    const sections = extension(({ context }) => {
      context.sections(promptSection('own', 'Say please.'))
      context.transform(
        map((before) => ({ ...before, system: `${before.system} 2` })),
        { priority: 1 },
      )
      context.transform(
        map((before) => ({ ...before, system: `${before.system} 1` })),
        { priority: 2 },
      )
    })
    const state = open([sections], ['Hello'], { system: 'Be brief.' })
    run(state)
    expect(state.requests[0]?.system).toBe('Be brief.\n\nSay please. 1 2')
  })

  it('gets its settings with the defaults of its schema', () => {
    const values: unknown[] = []
    const configured = defineExtension({
      name: 'checksum',
      version: '1.0.0',
      config: Type.Object({ algorithm: Type.String({ default: 'sha256' }), size: Type.Optional(Type.Integer()) }),
      setup: ({ config$ }) => void values.push(config$.value.algorithm, config$.value),
    })
    open([configured], [])
    open([configured], [], { settings: { extensions: { checksum: { algorithm: 'md5' } } } })
    const wrong = open([configured], ['Hello'], { settings: { extensions: { checksum: { size: 'big' } } } })
    run(wrong)
    expect(values).toEqual(['sha256', { algorithm: 'sha256' }, 'md5', { algorithm: 'md5' }])
    expect(statesOf(wrong)).toEqual(['failed'])
  })

  it('sends commands to its session, but none about policy', () => {
    const errors: unknown[] = []
    let api: ExtensionApi | undefined
    const state = open([extension((own) => void (api = own))], ['Hello'])
    api?.session.send({ type: 'prompt', text: 'By itself' }).subscribe()
    expect(state.requests[0]?.messages.at(-1)).toMatchObject({ content: 'By itself' })
    const forbidden = { type: 'set_approval_mode', mode: 'all' } as never
    api?.session.send(forbidden).subscribe({ error: (error: unknown) => errors.push(error) })
    expect(errors).toEqual([expect.objectContaining({ code: 'bad_request' })])
  })

  it('supplies or cancels a summary', () => {
    const compacted = (answer: () => CompactAnswer) => {
      const settings = { tools: [], compaction: { keepRecentTokens: 1 } }
      const script = ['Hello', 'Again', 'The model summarises']
      const state = open([extension(({ hooks }) => void hooks.on('compact', answer))], script, { settings })
      const errors: unknown[] = []
      run(state, 'A first question. '.repeat(200))
      run(state, 'More')
      state.session.send({ type: 'compact' }).subscribe({ error: (error: unknown) => errors.push(error) })
      return { summaries: named(state, 'compaction').map((event) => event.summary), errors, requests: state.requests }
    }
    const own = compacted(() => ({ summary: '## Goal\n\nOwn words' }))
    expect(own.summaries).toEqual([expect.stringContaining('Own words')])
    expect(own.requests).toHaveLength(2)
    const cancelled = compacted(() => ({ cancel: { reason: 'not now' } }))
    expect(cancelled.summaries).toEqual([])
    expect(cancelled.errors).toEqual([
      expect.objectContaining({ message: expect.stringContaining('not now') as string }),
    ])
    expect(cancelled.requests).toHaveLength(2)
  })

  it('whose scope cannot end is named, and the session closes all the same', () => {
    const broken = extension(({ scope }) => {
      scope.onEnd(() => {
        throw new Error('it will not end')
      })
    })
    const state = open([broken], [])
    const ends: string[] = []
    state.session.close().subscribe({ error: () => ends.push('error'), complete: () => ends.push('complete') })
    expect(ends).toEqual(['complete'])
    expect(faults(state)).toEqual(['The extension probe failed in the end of its scope: it will not end'])
  })
})
