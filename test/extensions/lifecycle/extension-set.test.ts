// Tests loads of one extension that overlap, and the end of an extension during its setup.
import { Subject, finalize, lastValueFrom } from 'rxjs'
import { beforeEach, expect, it, vi } from 'vitest'
import { extensionSet } from '../../../lib/extensions/index.ts'
import type { ExtensionApi, ExtensionDefinition, ExtensionSet } from '../../../lib/extensions/index.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { connectedSession } from '../../support/connected-session.ts'

let set: ExtensionSet
let events: AgentEvent[]
const states = () => events.flatMap((event) => (event.type === 'extension_state' ? [event.state] : []))
const warnings = () => events.flatMap((event) => (event.type === 'warning' ? [event.message] : []))
const commands = () => set.contributions.commands.entries.map(({ value }) => value.name)

beforeEach(() => {
  events = []
  set = extensionSet({ host: { id: 's', cwd: '/', env: {}, ownTools: [] } })
  set.connect(connectedSession((event) => void events.push(event)))
  return () => lastValueFrom(set.close(), { defaultValue: undefined })
})

interface Setup {
  /** Ends the setup: `complete`, or `error`. */
  readonly end$: Subject<never>
  readonly isLoading: () => boolean
}

/** Begins to load the extension `probe`, which registers a command before it waits. */
function load(command: string, within: (api: ExtensionApi) => void = () => undefined): Setup {
  const end$ = new Subject<never>()
  let isLoading = true
  const setup: ExtensionDefinition['setup'] = (api) => {
    api.commands.register({ name: command, description: '', run: () => '' })
    within(api)
    return end$
  }
  set
    .load({ name: 'probe', version: '1.0.0', setup })
    .pipe(finalize(() => (isLoading = false)))
    .subscribe()
  return { end$, isLoading: () => isLoading }
}

it('an older load that fails leaves the newer one of the name', () => {
  const older = load('older')
  const newer = load('newer')
  older.end$.error(new Error('no'))
  expect([commands(), states()]).toEqual([['newer'], ['unloaded']])
  newer.end$.complete()
  expect([commands(), states()]).toEqual([['newer'], ['unloaded', 'active']])
})

it('an older load that completes does not announce the newer one, which is still in its setup', () => {
  const older = load('older')
  const activated: string[] = []
  set.activated$.subscribe((name) => activated.push(name))
  const newer = load('newer')
  older.end$.complete()
  expect([activated, states()]).toEqual([[], ['unloaded']])
  newer.end$.complete()
  expect([activated, states()]).toEqual([['probe'], ['unloaded', 'active']])
})

it('a load that is alone and fails ends the extension', () => {
  load('alone').end$.error(new Error('no'))
  expect([commands(), states(), warnings()]).toEqual([[], ['failed'], [expect.stringContaining('failed in setup: no')]])
})

it('a load completes when its extension is ended', () => {
  const killed = load('killed')
  expect(killed.isLoading()).toBe(true)
  set.unload('probe', 'killed').subscribe()
  expect([killed.isLoading(), commands(), states()]).toEqual([false, [], ['killed']])
})

it('a setup that ends its own extension and then throws is reported, and leaves a newer one', () => {
  let newer: Setup | undefined
  const older = load('older', () => {
    newer = load('newer')
    throw new Error('no')
  })
  newer?.end$.complete()
  expect([older.isLoading(), commands(), states()]).toEqual([false, ['newer'], ['unloaded', 'active']])
  expect(warnings()).toEqual([expect.stringContaining('failed in setup: no')])
})

it('what the setup of an ended extension returned is subscribed, so that its rejection has a handler', async () => {
  const rejections = vi.fn<(reason: unknown) => void>()
  process.on('unhandledRejection', rejections)
  const setup = async (): Promise<void> => {
    set.unload('probe').subscribe()
    await Promise.reject(new Error('no'))
  }
  await lastValueFrom(set.load({ name: 'probe', version: '1.0.0', setup }), { defaultValue: undefined })
  await new Promise((resolve) => setImmediate(resolve)) // Node reports a rejection at the end of the turn
  process.off('unhandledRejection', rejections)
  expect(rejections).not.toHaveBeenCalled()
  expect([commands(), states()]).toEqual([[], ['unloaded']])
})
