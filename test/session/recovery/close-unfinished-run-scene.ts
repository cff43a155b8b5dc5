// Provides the log of a recorded run, cut at the line where its process ended.
import type { RunHelpers } from 'rxjs/testing'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { openSession } from '../../../lib/session/create/open-session.ts'
import type { Session } from '../../../lib/session/contract/session.ts'
import type { AgentEvent, EventNamed } from '../../../lib/streams/events/event.ts'
import { randomIds } from '../../../lib/streams/values/identifiers.ts'
import type { SessionLog } from '../../../lib/streams/ports/session-log.ts'
import { logOf, recordingStore } from '../../support/cut-log.ts'
import type { WrittenLine } from '../../support/cut-log.ts'
import { faultyLog } from '../../support/faulty-log.ts'
import { playSession } from '../../support/virtual-session.ts'
import type { SessionScene } from '../../support/virtual-session.ts'

/** All lines that a session writes while the scene is played. */
export function linesOf(scene: (helpers: RunHelpers) => Omit<SessionScene, 'log'>): readonly WrittenLine[] {
  const store = recordingStore()
  playSession((helpers) => ({ ...scene(helpers), log: faultyLog(store) }))
  return store.written
}

export function open(log: SessionLog): Session {
  const settings = {
    model: scriptedModel,
    provider: scripted([]),
    system: '',
    thinkingLevel: 'off',
    tools: [],
  } as const
  return openSession({ log, settings: () => settings, tools: { cwd: '/', env: {} }, options: { ids: randomIds() } })
}

export function reopened(lines: readonly WrittenLine[]) {
  const log = logOf(lines)
  const before = [...log.records()]
  const session = open(log)
  const records = [...log.records()]
  const added = records.slice(before.length).map(({ event }) => event)
  return { log, before, session, records, added }
}

export function named<Name extends AgentEvent['type']>(events: readonly AgentEvent[], type: Name): EventNamed<Name>[] {
  return events.filter((event): event is EventNamed<Name> & AgentEvent => event.type === type)
}
