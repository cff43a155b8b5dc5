// Holds the extensions of one session: sets them up, counts their faults, unloads them.
// Guarantees: a fault of one reaches neither the session nor the others; after an unload nothing of it is registered.
import { EMPTY, Subject, catchError, concat, defer, mergeMap, takeUntil, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AgentEvent } from '../../streams/events/event.ts'
import { behavior } from '../../streams/rx/behavior.ts'
import { onAbandon } from '../../streams/rx/on-abandon.ts'
import { scope } from '../../streams/rx/scope.ts'
import type { Scope } from '../../streams/rx/scope.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { ExtensionDefinition, ExtensionManifest } from '../api/define-extension.ts'
import { readExtensionConfig } from '../manifest/read-config.ts'
import { dependencyProblem } from '../manifest/read-manifest.ts'
import { surfaceHub } from '../surfaces/surface-hub.ts'
import type { ExtensionSurroundings } from './api-parts.ts'
import { buildApi } from './build-api.ts'
import { contributions } from './contributions.ts'
import { eventDeriver } from './derive-events.ts'
import { faultCounter, faultEvent, faultLimit } from './fault-counter.ts'
import type { FaultCounter } from './fault-counter.ts'
import { commandAnswers } from './own-shell.ts'
import { reloader } from './reload-extensions.ts'
import { noteQueue, sessionDoor } from './session-door.ts'
import type { SessionDoor } from './session-door.ts'
import type { ExtensionSessionState, ExtensionSet, ExtensionSetOptions } from './set-contract.ts'
import { settled, untilEnd, within } from './settle.ts'
import { shownParts } from './shown-parts.ts'

/** Milliseconds that the `setup` of one extension may take. */
export const setupLimitMs = 30_000
/** Of all `shutdown` hooks of an extension. */
const shutdownLimitMs = 5_000

interface Member {
  readonly manifest: ExtensionManifest
  readonly life: Scope
}

export function extensionSet(options: ExtensionSetOptions): ExtensionSet {
  const { host, settings = {}, onUse = () => undefined } = options
  const life = scope()
  const deriver = eventDeriver({ end$: life.end$, publish: (event) => door.session?.publish(event) })
  const activated$ = new Subject<string>()
  const door = sessionDoor(deriver.relay, life)
  const notes = noteQueue()
  const all = contributions()
  const publish = (event: AgentEvent): void => door.session?.publish(event)
  const shown = shownParts({ contributions: all, event$: deriver.eventsFor(''), life, publish })
  const faults = faultCounter((fault) => {
    door.publish(faultEvent(fault))
    if (fault.count >= faultLimit) members.end(fault.extension, 'quarantined')
  })
  const members = memberList(door.publish, faults)
  const surfaces = surfaceHub({ list: all.surfaces, report: faults.report, end$: life.end$ })
  const shared: ExtensionSurroundings = {
    ...{ host, contributions: all, deriver, faults, onUse, screen: surfaces.screen, startNotices: shown.notices },
    connected: () => door.session,
    ...{ addNote: notes.add, whenOpen: door.whenOpen, reload: () => again.reload() },
  }
  const unload$ = unloader(shared, members)
  const load$: ExtensionSet['load'] = (definition) => {
    again.note(definition)
    return concat(unload$(definition.name), load({ definition, shared, members, life, settings, activated$ }))
  }
  const again = reloader(members.has, load$, options.reload)
  return {
    ...{ contributions: all, faults },
    ...{ notes: notes.port, surfaces, addNote: notes.add, ui: shown.list },
    activated$: activated$.asObservable(),
    questionOpen$: door.questionOpen$,
    get loaded() {
      return members.manifests
    },
    ...{ load: load$, unload: unload$, reload: again.reload },
    userCommandAnswer: commandAnswers(() => members.manifests, onUse),
    warn: (message) => {
      door.publish({ type: 'warning', code: 'extension', message, recoverable: true })
    },
    get people() {
      return door.session?.people
    },
    connect: door.open,
    close: () => closeAll(shared, { members, door, life }),
  }
}

function closeAll(
  shared: ExtensionSurroundings,
  { members, door, life }: { readonly members: MemberList; readonly door: SessionDoor; readonly life: Scope },
): Observable<never> {
  return concat(
    ...members.manifests.toReversed().map(({ name }) => shutDown(shared, name, 'close')),
    act$(() => {
      members.close()
      door.close()
      life.end()
    }),
  )
}

function unloader(shared: ExtensionSurroundings, members: MemberList): ExtensionSet['unload'] {
  return (name, state = 'unloaded') =>
    concat(
      state === 'killed' ? EMPTY : shutDown(shared, name, 'unload'), // a kill waits for nothing
      act$(() => {
        members.end(name, state)
      }),
    )
}

/**
 * Never fails: a fault is reported, and the extension ends. Completes without a state if something else ends the extension first,
 * such as a kill or a newer load of the name.
 */
function load({ definition, activated$, ...parts }: LoadParts): Observable<never> {
  const { name } = definition
  const { faults, connected } = parts.shared
  let own: Scope | undefined
  const setUp$ = defer(() => {
    faults.reset(name)
    return setUp(definition, parts, (life) => {
      own = life
    })
  })
  const announce$ = act$(() => {
    if (own?.ended !== false) return
    parts.members.announce(name, 'active')
    if (connected() !== undefined) activated$.next(name)
  })
  return concat(setUp$, announce$).pipe(
    catchError((thrown: unknown) =>
      act$(() => {
        faults.report(name, 'setup', thrown)
        if (own === undefined) parts.members.announce(name, 'failed')
        else if (!own.ended) parts.members.end(name, 'failed')
      }),
    ),
    onAbandon(() => {
      if (own?.ended === false) parts.members.end(name, 'unloaded') // another load of the name has its own scope
    }),
  )
}

interface MemberList {
  readonly manifests: readonly ExtensionManifest[]
  add(member: Member): void
  /** Ends the scope of an extension and announces it; nothing if there is none. */
  end(name: string, state: ExtensionSessionState): void
  has(name: string): boolean
  /** Ends the scopes, newest first, without a line in the log. */
  close(): void
  /** Writes the state to the log. */
  announce(name: string, state: ExtensionSessionState): void
}

function memberList(publish: SessionDoor['publish'], faults: FaultCounter): MemberList {
  const members = new Map<string, Member>()
  const publishState = (name: string, state: ExtensionSessionState): void => {
    publish({ type: 'extension_state', name, state })
  }
  const endScope = ({ manifest: { name }, life }: Member): void => {
    try {
      life.end()
    } catch (thrown) {
      faults.report(name, 'the end of its scope', thrown)
    }
  }
  return {
    get manifests() {
      return [...members.values()].map(({ manifest }) => manifest)
    },
    add: (member) => {
      members.set(member.manifest.name, member)
    },
    end: (name, state) => {
      const member = members.get(name)
      if (member === undefined) return
      members.delete(name)
      endScope(member)
      publishState(name, state)
    },
    has: (name) => members.has(name),
    close: () => {
      const all = [...members.values()].reverse()
      members.clear()
      for (const member of all) endScope(member)
    },
    announce: publishState,
  }
}

interface LoadParts extends SetUpParts {
  readonly definition: ExtensionDefinition
  readonly activated$: Subject<string>
}

interface SetUpParts {
  readonly shared: ExtensionSurroundings
  readonly members: MemberList
  readonly life: Scope
  readonly settings: Readonly<Record<string, unknown>>
}

/** Calls `setup`, and completes when what it returned has, or the extension is ended. @throws whatever `setup` throws, Failure `bad_config` before it */
function setUp(
  definition: ExtensionDefinition,
  { shared, members, life, settings }: SetUpParts,
  onScope: (own: Scope) => void,
): Observable<never> {
  const { setup: _, ...manifest } = definition
  const problem = dependencyProblem(manifest, members.manifests)
  if (problem !== undefined) throw new Failure('bad_config', problem)
  const config = behavior(readExtensionConfig(manifest, settings[manifest.name]))
  const own = life.child()
  onScope(own)
  own.onEnd(config.complete)
  members.add({ manifest, life: own })
  const api = buildApi({ ...shared, manifest, config$: config.behavior$, life: own })
  return untilEnd(within(settled(definition.setup(api)), setupLimitMs), own.end$)
}

/** Calls the `shutdown` hooks of one extension side by side; completes when they have ended, or after 5 s. */
function shutDown(
  { contributions: { hooks }, faults }: ExtensionSurroundings,
  name: string,
  reason: 'close' | 'unload',
): Observable<never> {
  return defer(() => hooks.shutdown.entries.filter(({ owner }) => owner === name)).pipe(
    mergeMap(({ value }) =>
      defer(() => settled(value.hook({ reason }))).pipe(
        catchError((thrown: unknown) =>
          act$(() => {
            faults.report(name, 'the hook shutdown', thrown)
          }),
        ),
      ),
    ),
    takeUntil(timer(shutdownLimitMs)),
  )
}

/** Calls `act` on subscription, and completes. */
function act$(act: () => void): Observable<never> {
  return defer(() => {
    act()
    return EMPTY
  })
}
