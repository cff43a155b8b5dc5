// Tests `createRunPorts`: default limits, budget rules and the tool context.
import { NEVER } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { SessionOptions } from '../../../lib/session/contract/session-parts.ts'
import { createConversation } from '../../../lib/operators/run/conversation.ts'
import { queues } from '../../../lib/operators/run/queues.ts'
import { createRunPorts } from '../../../lib/session/runs/create-run-ports.ts'
import { clientOffers } from '../../../lib/session/tools/client-offers.ts'
import { openedToolList } from '../../../lib/session/tools/tool-list.ts'
import { conversationHold } from '../../../lib/session/runs/conversation-hold.ts'
import { sessionSettings } from '../../../lib/session/runs/session-settings.ts'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { behavior } from '../../../lib/streams/rx/behavior.ts'
import type { RunLimits } from '../../../lib/streams/config/settings.ts'
import { countedIds } from '../../../lib/testing/counted-ids.ts'
import { faultyLog } from '../../support/faulty-log.ts'

function portsOf(options: SessionOptions = {}, own?: RunLimits) {
  const ids = countedIds()
  const { log } = faultyLog()
  const parts = {
    log,
    settings: () => ({
      model: scriptedModel,
      provider: scripted([]),
      system: '',
      thinkingLevel: 'off' as const,
      tools: [],
    }),
    tools: { cwd: '/here', env: {} },
    options,
  }
  const toolList = openedToolList(parts)
  return createRunPorts(
    {
      parts,
      toolList,
      ...{ fileOffers: clientOffers(), terminalOffers: clientOffers() },
      ids,
      conversation: createConversation({ history: [], headEntryId: null, nextEntryId: ids.short }),
      queues: queues(),
      settings: sessionSettings(parts, toolList),
      scenario: {
        current: () => undefined,
        status: () => undefined,
        rules: () => undefined,
        find: () => NEVER,
        findPhase: () => NEVER,
        enter: () => [],
        leave: () => [],
        findOwn: () => NEVER,
        modelOf: () => undefined,
      },
      proposeAgain: () => undefined,
      transitions: { due: () => undefined, propose: () => NEVER, change: () => NEVER },
      compaction: { forRun: () => ({ compactFirst: () => undefined, makeRoom: () => NEVER }), compactNow: () => NEVER },
      runModel: { due: () => undefined, end: () => [] },
      betweenTurns: () => undefined,
      activeRun: { running: undefined, unsettled: undefined },
      hold: conversationHold(),
      userCommands: {
        known: new Map(),
        run: () => NEVER,
        kill: () => NEVER,
        close: () => undefined,
        idle: () => NEVER,
      },
      jobs: undefined,
      decide: undefined,
      jobReader: { list: () => [], output: () => NEVER },
      requests: {
        ask: () => NEVER,
        hasOpen$: behavior(false).behavior$,
        respond: () => NEVER,
        attended$: NEVER,
        answering$: NEVER,
        answeringQuestions$: NEVER,
        askQuestion: () => NEVER,
        form: () => undefined,
        close: () => undefined,
      },
    },
    own,
  )
}

const names = (ports: ReturnType<typeof createRunPorts>) => ports.stopWhen.map(({ name }) => name)

describe('createRunPorts', () => {
  it('has the default limits, and the session’s id for its tools [PORT-context]', () => {
    const ports = portsOf()
    expect(ports.idle).toEqual({ first: 120_000, firstLocal: 600_000, each: 120_000 })
    expect([ports.wallClockMs, ports.graceMs, ports.toolExecution]).toEqual([172_800_000, 5_000, 'parallel'])
    const fn: unknown = expect.any(Function)
    expect([names(ports), ports.retry, ports.tools]).toEqual([
      [],
      {},
      { cwd: '/here', env: {}, sessionId: 'sessionaaaaa', ...{ clientFiles: fn, clientTerminals: fn } },
    ])
  })

  it.each<[RunLimits | undefined, RunLimits | undefined, object]>([
    [{ idleMs: 5 }, undefined, { first: 5, firstLocal: 5, each: 5 }],
    [{ idleMs: 5 }, { idleMs: 7 }, { first: 7, firstLocal: 7, each: 7 }],
    [{ idleMs: 5 }, { turns: 1 }, { first: 5, firstLocal: 5, each: 5 }],
    [undefined, { idleMs: 0 }, { first: 0, firstLocal: 0, each: 0 }],
  ])('prefers the run’s limits to the session’s: %j, %j [LOOP-26h]', (limits, own, idle) => {
    expect(portsOf(limits === undefined ? {} : { limits }, own).idle).toEqual(idle)
  })

  it.each<[string, SessionOptions, boolean, boolean]>([
    ['by default', {}, true, true],
    ['if it is switched on', { compaction: { enabled: true } }, true, true],
    ['if it is switched off', { compaction: { enabled: false } }, false, false],
    ['beside a `makeRoom` of the program', { makeRoom: () => NEVER }, false, true],
    ['beside one, if it is switched on', { makeRoom: () => NEVER, compaction: { enabled: true } }, true, true],
  ])('compacts before a request and after an overflow %s', (_, options, isFirst, isRoom) => {
    const ports = portsOf(options)
    expect([ports.compactFirst !== undefined, ports.makeRoom !== undefined]).toEqual([isFirst, isRoom])
    if (options.makeRoom !== undefined) expect(ports.makeRoom).toBe(options.makeRoom)
  })

  it('turns budgets into stop rules, behind the session’s own rules; 0 means no budget', () => {
    const own = { name: 'own', matches: () => false }
    expect(names(portsOf({ stopWhen: [own], limits: { turns: 3, tokens: 9 } }, { usd: 1 }))).toEqual([
      'own',
      'maxTurns',
      'spent',
      'spent',
    ])
    expect(names(portsOf({ limits: { turns: 3 } }, { turns: 0 }))).toEqual([])
    expect(names(portsOf({ limits: { turns: 1, sameCalls: 1 } }))).toEqual(['sameCallRepeated', 'maxTurns'])
    expect(portsOf({}, { wallClockMs: 0 }).wallClockMs).toBe(0)
  })
})
