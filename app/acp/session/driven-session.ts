// Drives one session for an editor: sends its events as updates, asks its questions, runs prompts.
// Guarantees: the updates of a run are sent before its prompt is answered; a run outlives the editor.
import type { AvailableCommand, ContentBlock, PromptResponse, SessionUpdate } from '@agentclientprotocol/sdk'
import {
  Subject,
  Subscription,
  asyncScheduler,
  concatMap,
  defer,
  finalize,
  from,
  ignoreElements,
  map,
  of,
  tap,
  throttleTime,
} from 'rxjs'
import type { Observable } from 'rxjs'
import type { ReconnectingClient } from '../../../lib/server/client/reconnecting-client.ts'
import type { ClientEvent, ReceivedEvent } from '../../../lib/server/protocol/server-frame.ts'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { paceEvents } from '../../commands/pace-events.ts'
import type { Peer } from '../wire/peer.ts'
import { readBlocks } from '../prompt/read-blocks.ts'
import { RunningPrompt, abortRun } from '../prompt/run-prompt.ts'
import type { ElicitationFeatures } from '../questions/elicitation.ts'
import { OpenQuestions } from '../questions/open-questions.ts'
import { messageWithImages, withImages } from '../updates/load-images.ts'
import { EventUpdates } from '../updates/event-updates.ts'
import type { EventUpdatesOptions } from '../updates/event-updates.ts'
import { editorFiles } from './editor-files.ts'
import type { FileFeatures } from './editor-files.ts'
import { editorTerminals } from './editor-terminals.ts'
import type { TerminalFeatures } from './editor-terminals.ts'
import type { SessionSettings } from './session-settings.ts'

export interface DrivenSessionOptions
  extends Omit<EventUpdatesOptions, 'isOwn'>, ElicitationFeatures, FileFeatures, TerminalFeatures {
  readonly id: string
  readonly client: Pick<ReconnectingClient, 'events$' | 'request'>
  readonly peer: Peer
  readonly settings: SessionSettings
  /** The server's report about the opening. */
  readonly opened: ResultOf<'open_session'>['notices']
}

/** Milliseconds between two updates of the output of running calls. */
const outputInterval = 250

export class DrivenSession {
  readonly id: string
  readonly settings: SessionSettings
  readonly #options: DrivenSessionOptions
  readonly #updates: EventUpdates
  readonly #questions: OpenQuestions
  readonly #received$ = new Subject<ReceivedEvent>()
  readonly #printed$ = new Subject<void>()
  readonly #following = new Subscription()
  #prompt: RunningPrompt | undefined
  #failure: Failure | undefined

  constructor(options: DrivenSessionOptions) {
    const { id, settings, client, peer, cwd, forms, pages } = options
    this.id = id
    this.settings = settings
    this.#options = options
    this.#updates = new EventUpdates({ ...options, isOwn: (opId) => this.#prompt?.opId === opId })
    this.#questions = new OpenQuestions({ client, peer, sessionId: id, cwd, forms, pages })
  }

  get cwd(): string {
    return this.#options.cwd
  }

  /** True if the folder brings files for rxpi that nobody trusts. */
  get isUntrusted(): boolean {
    return this.#options.opened.some(({ code }) => code === 'folder_untrusted')
  }

  /** True while it answers a prompt of this editor. */
  get isBusy(): boolean {
    return this.#prompt !== undefined
  }

  /** Shows words of rxpi. */
  say(text: string): void {
    this.send([{ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }])
  }

  /** Sends stored messages as updates, one after the other; completes when the last one is sent. */
  replay(entries: readonly StoredEntry[]): Observable<never> {
    const { client } = this.#options
    return from(entries).pipe(
      concatMap(({ entryId, message }) =>
        messageWithImages(message, { client, session: this.id }).pipe(
          tap((whole) => {
            this.send(this.#updates.replay(entryId, whole))
          }),
        ),
      ),
      ignoreElements(),
    )
  }

  /** Sends every event after a `seq` as updates, until `close`. */
  follow(after: number): void {
    const { client, peer, id } = this.#options
    const output = this.#printed$
      .pipe(throttleTime(outputInterval, asyncScheduler, { leading: true, trailing: true }))
      .subscribe(() => {
        this.send(this.#updates.calls.takeOutput())
      })
    const files = editorFiles(peer, id, this.#options)
    const terminals = editorTerminals(peer, id, this.#options, (toolCallId, terminalId) => {
      this.send(this.#updates.calls.showTerminal(toolCallId, terminalId))
    })
    const paced = { client, stdout: peer, session: id, from: { after }, deltas: true, files, terminals }
    const following = paceEvents(paced)
      .pipe(concatMap((event) => this.#withImages(event)))
      .subscribe({
        next: (event) => {
          this.#take(event)
        },
        error: (error: unknown) => {
          this.#failure = Failure.from(error)
          this.#received$.error(this.#failure)
        },
      })
    this.#following.add(output)
    this.#following.add(following)
  }

  /** Sends what an editor shows from the beginning, when it has the response to its request. */
  greet(commands: readonly AvailableCommand[]): void {
    const { notices, opened } = this.#options
    const shown = notices ? opened : []
    this.send([
      { sessionUpdate: 'available_commands_update', availableCommands: [...commands] },
      ...this.#updates.usage(),
      ...shown.map(({ message }): SessionUpdate => ({ sessionUpdate: 'notice', severity: 'info', title: message })),
    ])
  }

  /** Emits the answer when the run is over. Fails with `busy` while a run is on. Unsubscribing stops no run. */
  prompt(blocks: readonly ContentBlock[]): Observable<PromptResponse> {
    return defer(() => {
      if (this.#failure !== undefined) throw this.#failure
      if (this.#prompt !== undefined)
        throw new Failure('busy', `The session ${this.id} answers a prompt; cancel it or wait`)
      const content = readBlocks(blocks)
      const prompt = new RunningPrompt({
        client: this.#options.client,
        session: this.id,
        received$: this.#received$,
        onHandled: (text) => {
          this.say(text)
        },
      })
      this.#prompt = prompt
      return prompt.run(content).pipe(finalize(() => (this.#prompt = undefined)))
    })
  }

  /** Adds an input to the active run; emits its id in the queue. */
  steer(blocks: readonly ContentBlock[]): Observable<{ readonly queueId: string }> {
    return defer(() => {
      const { text, images } = readBlocks(blocks)
      const pictures = images.length === 0 ? {} : { images }
      return this.#options.client.request({ type: 'steer', session: this.id, text, ...pictures })
    })
  }

  /** Stops the active run, also one that another client began. */
  cancel(): void {
    if (this.#prompt === undefined) abortRun({ client: this.#options.client, session: this.id })
    else this.#prompt.cancel()
  }

  /** Sets a mode or an option; completes when the server has set it. */
  set(option: string, value: unknown): Observable<never> {
    return defer(() => this.settings.commandsFor(option, value)).pipe(
      concatMap((command) => {
        const executed$: Observable<unknown> = this.#options.client.request(command)
        return executed$.pipe(
          tap(() => {
            this.settings.executed(command)
          }),
        )
      }),
      ignoreElements(),
    )
  }

  send(updates: readonly SessionUpdate[]): void {
    for (const update of updates) this.#options.peer.update(this.id, update)
  }

  /** Sends nothing any more, and answers a prompt that runs as cancelled. The session, its run and its open questions stay in the server. */
  close(): void {
    this.#following.unsubscribe()
    this.#questions.close()
    this.#received$.complete()
  }

  /** Events wait for the images before them, each at most as long as its images take. */
  #withImages(received: ClientEvent): Observable<ClientEvent> {
    if (received.type !== 'event') return of(received)
    const { client } = this.#options
    return withImages(received.event, { client, session: this.id }).pipe(map((event) => ({ ...received, event })))
  }

  #take(received: ClientEvent): void {
    if (received.type === 'attached') {
      for (const question of [...received.requests, ...(received.questions ?? [])]) this.#questions.ask(question)
    }
    if (received.type !== 'event') return
    const { event } = received
    this.send([...this.#updates.take(received), ...this.settings.take(event)])
    if (event.type === 'tool_execution_update') this.#printed$.next()
    this.#questions.take(event)
    this.#received$.next(received)
  }
}

export interface StoredEntry {
  readonly entryId: string
  readonly message: Parameters<EventUpdates['replay']>[1]
}
