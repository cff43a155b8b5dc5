// Builds the parts that every run of an open session shares.
import { searchToolsName } from '../../streams/messages/inner-call.ts'
import { createConversation } from '../../operators/run/conversation.ts'
import { queues } from '../../operators/run/queues.ts'
import type { CallPorts, Conversation, RoomEvent, RunPorts } from '../../operators/ports/run-ports.ts'
import type { MonoTypeOperatorFunction, Observable } from 'rxjs'
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import { contextMessages, contextEntries } from '../../streams/state/context-messages.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import type { StopSwitch } from '../../streams/rx/stop-switch.ts'
import type { Ids } from '../../streams/values/identifiers.ts'
import type { SessionParts } from '../contract/session-parts.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import { decideCall } from '../questions/decide-call.ts'
import { uiRequests } from '../questions/ui-requests.ts'
import type { UiRequests } from '../questions/ui-requests.ts'
import { sessionCompaction } from './session-compaction.ts'
import type { SessionCompaction } from './session-compaction.ts'
import { runModel } from '../roles/run-model.ts'
import type { RunModel } from '../roles/run-model.ts'
import { sessionSettings } from './session-settings.ts'
import type { SessionSettings } from './session-settings.ts'
import { conversationHold } from './conversation-hold.ts'
import type { ConversationHold } from './conversation-hold.ts'
import { deferredMessages } from './deferred-messages.ts'
import type { JobReader } from '../../streams/ports/jobs.ts'
import { contextUpdates } from './append-message.ts'
import { openScenario } from '../scenarios/open-scenario.ts'
import type { OpenedScenario } from '../scenarios/open-scenario.ts'
import { sessionJobs, toolJobs } from './tool-jobs.ts'
import { clientOffers } from '../tools/client-offers.ts'
import type { ClientOffers } from '../tools/client-offers.ts'
import type { FilesOffer } from '../../streams/environment/file-exchange.ts'
import type { TerminalsOffer } from '../../streams/environment/terminal-exchange.ts'
import { openedToolList } from '../tools/tool-list.ts'
import type { ToolList } from '../contract/tool-list-port.ts'
import type { ToolJobs } from './tool-jobs.ts'
import { userCommands } from './user-commands.ts'
import type { UserCommands } from './user-commands.ts'
import { map } from 'rxjs'
import type { Behavior } from '../../streams/rx/behavior.ts'

export interface SessionCore {
  readonly parts: SessionParts
  readonly ids: Ids
  readonly conversation: Conversation
  readonly queues: RunPorts['queues']
  readonly settings: SessionSettings
  /** The phase that restricts the session. */
  readonly scenario: OpenedScenario['scenario']
  readonly transitions: OpenedScenario['transitions']
  readonly proposeAgain: OpenedScenario['proposeAgain']
  readonly toolList: ToolList
  /** The files that clients offer. */
  readonly fileOffers: ClientOffers<FilesOffer>
  /** The terminals that clients offer. */
  readonly terminalOffers: ClientOffers<TerminalsOffer>
  readonly compaction: SessionCompaction
  /** The model of the run that is on, if it needs another one. */
  readonly runModel: RunModel
  readonly userCommands: UserCommands
  /** Background jobs of tools. Undefined if the session has no shell. */
  readonly jobs: ToolJobs | undefined
  /** The jobs of tools and the commands of the user. */
  readonly jobReader: JobReader
  readonly requests: UiRequests
  /** Decides about tool calls by the policy. Undefined without one: `approve` decides. */
  readonly decide: CallPorts['refusalOf']
  readonly activeRun: ActiveRun
  /** Keeps the head in its position for a command that moves it. */
  readonly hold: ConversationHold
  /** Appends the messages that waited; returns the events of the context's notes that are due, or undefined. */
  betweenTurns(): Observable<AgentEvent> | undefined
}

export interface RunHandle {
  readonly runId: string
  readonly stop: StopSwitch
}

/** The run that is on. The run starter writes it. */
export interface ActiveRun {
  /** Undefined from just before the run's `agent_settled`. */
  running: RunHandle | undefined
  /** Undefined once the run's `agent_settled` is recorded. */
  unsettled: RunHandle | undefined
}

export interface CoreOptions {
  readonly parts: SessionParts
  /** The state that the session is opened with. */
  readonly initial: SessionState
  readonly ids: Ids
  readonly pipeline: Pipeline
}

export function sessionCore({ parts, initial, ids, pipeline }: CoreOptions): SessionCore {
  const activeRun: ActiveRun = { running: undefined, unsettled: undefined }
  const own = sessionConversation(initial, ids)
  const { userShell, jobShell: shell = userShell } = parts
  const toolList = openedToolList(parts)
  const settings = sessionSettings(parts, toolList, initial, (added) => {
    pipeline.publish({ event: { type: 'tool_set_change', added: [...added], removed: [], source: searchToolsName } })
  })
  const requests = uiRequests({ ids, log: parts.log, pipeline, running: () => activeRun.unsettled })
  const { notes, beforeNotes, ...phases } = openScenario({ parts, initial, settings: { ...settings, current: settings.own }, requests, pipeline, activeRun }) // prettier-ignore
  const hold = conversationHold()
  const isRunning = (): boolean => activeRun.running !== undefined
  const deferred = deferredMessages({ conversation: own, pipeline, hold, isRunning })
  const onTerminal = (): void => activateInput(settings, pipeline)
  const files = clientOffers<FilesOffer>()
  const commands = userCommands({ ids, deferred, userShell, pipeline })
  const outsideShell$ = userShell ?? shell
  const jobs =
    shell && outsideShell$ && toolJobs({ ids, shell, outsideShell: outsideShell$, pipeline, deferred, onTerminal })
  return {
    parts,
    ids,
    activeRun,
    hold,
    betweenTurns: () => {
      deferred.appendDeferred()
      return beforeNotes(() =>
        contextUpdates({ notes, settings, conversation: own, activeRun, state: () => pipeline.state$.value }),
      )
    },
    ...phases,
    settings,
    toolList,
    ...{ fileOffers: files, terminalOffers: clientOffers() },
    compaction: withCounts(
      sessionCompaction({ parts, conversation: own, settings, state$: pipeline.state$ }),
      countSummarised(pipeline.state$),
    ),
    runModel: runModel({ roles: parts.roles, conversation: own, settings }),
    conversation: own,
    queues: queues(initial.queue, { ...initial.queueModes, ...parts.options.queueModes }),
    requests,
    decide: decideByPolicy({ parts, activeRun, settings, ...phases, requests, pipeline, fileOffers: files }),
    userCommands: commands,
    jobs,
    jobReader: sessionJobs(jobs, commands),
  }
}

/** A job with a terminal takes input. */
function activateInput(settings: SessionSettings, { publish }: Pick<Pipeline, 'publish'>): void {
  const active = settings.active().map(({ name }) => name)
  const isRegistered = settings.registered().some(({ name }) => name === 'job_input')
  if (!isRegistered || active.includes('job_input')) return
  publish({ event: settings.setActiveTools([...active, 'job_input'], 'tool') })
}

function decideByPolicy({
  parts: { options, tools },
  activeRun,
  settings,
  scenario,
  requests,
  pipeline,
  fileOffers,
}: Pick<SessionCore, 'parts' | 'activeRun' | 'settings' | 'scenario' | 'requests' | 'fileOffers'> &
  Pick<CoreOptions, 'pipeline'>) {
  const { policy, sandbox } = options
  if (policy === undefined) return undefined
  return decideCall({
    policy,
    sandbox,
    requests,
    cwd: tools.cwd,
    clientFiles: () => fileOffers.current()?.files,
    events$: pipeline.events$,
    mode: () => settings.approvalMode() ?? 'ask',
    phase: scenario.rules,
    record: (event) => pipeline.write({ event, runId: activeRun.unsettled?.runId }),
  })
}

function withCounts(compaction: SessionCompaction, counted$: MonoTypeOperatorFunction<RoomEvent>): SessionCompaction {
  return {
    forRun: () => {
      const { compactFirst, makeRoom } = compaction.forRun()
      return {
        compactFirst: () => compactFirst()?.pipe(counted$),
        makeRoom: (overflow) => makeRoom(overflow).pipe(counted$),
      }
    },
    compactNow: (focus) => compaction.compactNow(focus).pipe(counted$),
  }
}

/** The conversation of a log's state, continued at its head; its messages are read when they are needed. */
function sessionConversation(initial: SessionState, ids: Ids): Conversation {
  const used = new Set<string>() // also of messages that have not ended yet
  const isUsed = (id: string): boolean => used.has(id) || initial.entries.has(id) || initial.summaries.has(id)
  return createConversation({
    history: () => contextMessages(initial),
    headEntryId: initial.headEntryId,
    nextEntryId: () => {
      let id = ids.short()
      while (isUsed(id)) id = ids.short() // 40 random bits clash once in a session of a million entries
      used.add(id)
      return id
    },
  })
}

/** Earlier summaries are not counted: their messages were counted with them. */
export function countSummarised(state$: Behavior<SessionState>): MonoTypeOperatorFunction<RoomEvent> {
  return map((event) =>
    event.type === 'compaction' ? { ...event, messages: summarisedMessages(event, state$.value) } : event,
  )
}

/** @param state the one before the compaction */
function summarisedMessages(event: EventNamed<'compaction'>, state: SessionState): number {
  const entries = contextEntries(state, event.parentId)
  const first = entries.findIndex(({ entryId }) => entryId === event.firstKeptEntryId)
  const older = first === -1 ? entries : entries.slice(0, first)
  const carried = event.carriedEntryIds ?? []
  return older.filter(({ entryId, kind }) => kind === 'entry' && !carried.includes(entryId)).length
}
