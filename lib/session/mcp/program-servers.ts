// Opens the MCP servers of a session that a program creates, and loads what answers for them.
// Guarantees: nothing of MCP is loaded for a session without servers; the servers end with the session.
import { EMPTY, defer, from, map, of, share, switchMap, ReplaySubject } from 'rxjs'
import type { Observable } from 'rxjs'
import { joinNotes } from '../../context/index.ts'
import { checkServers } from '../../mcp/config/check-servers.ts'
import type { Message } from '../../streams/messages/message.ts'
import type { ContextNotes } from '../../streams/ports/context-notes.ts'
import type { PromptCommands } from '../../streams/ports/prompt-commands.ts'
import type { SessionServers } from '../contract/servers-port.ts'
import type { Session } from '../contract/session.ts'
import type { WiredServers } from './connect-servers.ts'
import type { ProgramServersOptions, ServerParts } from './program-server-parts.ts'

export interface ProgramServers {
  readonly port: SessionServers
  /** The notes with those about the servers' instructions. The first request waits until each server has answered or failed. */
  addToNotes(notes: ContextNotes | undefined): ContextNotes
  /** The commands with the servers' prompts. */
  addToCommands(commands: PromptCommands | undefined): PromptCommands
}

type Parts$ = Observable<ServerParts>

/** Undefined without servers. @throws Failure `bad_request` for an entry that does not fit */
export function programServers(options: ProgramServersOptions): ProgramServers | undefined {
  const servers = checkServers(options.servers)
  if (Object.keys(servers).length === 0) return undefined
  const parts$: Parts$ = defer(() => from(import('./open-program-servers.ts'))).pipe(
    map(({ openProgramServers }) => openProgramServers({ ...options, servers })),
    share({ connector: () => new ReplaySubject(1), resetOnComplete: false }),
  )
  return {
    port: {
      attach: (session: Session, wired: WiredServers) => {
        parts$.pipe(wired.life.bind()).subscribe(({ attach }) => attach(session, wired))
      },
      readResources: (text) => {
        if (!Object.keys(servers).some((name) => text.includes(`@${name}:`))) return undefined
        return parts$.pipe(switchMap(({ readResources }) => readResources(text) ?? of([])))
      },
      findResources: (wanted) => parts$.pipe(switchMap(({ findResources }) => findResources(wanted))),
    },
    addToNotes: (notes) => joinNotes([notes, lateNotes(parts$)]),
    addToCommands: (commands) => lateCommands(parts$, commands),
  }
}

function lateNotes(parts$: Parts$): ContextNotes {
  let loaded: ContextNotes | undefined
  const due$ = (messages: readonly Message[]) =>
    parts$.pipe(
      switchMap(({ notes }) => {
        loaded = notes
        return notes.due(messages) ?? EMPTY
      }),
    )
  return {
    due: (messages) => (loaded === undefined ? due$(messages) : loaded.due(messages)),
    close: () => loaded?.close(),
  }
}

/** A command of the program precedes one of the same name. */
function lateCommands(parts$: Parts$, others: PromptCommands | undefined): PromptCommands {
  const run$ = others?.run
  return {
    list: () => parts$.pipe(switchMap(({ commandsWith }) => commandsWith(others).list())),
    expand: (text) => {
      if (!text.startsWith('/')) return others?.expand(text) ?? of(undefined)
      return parts$.pipe(switchMap(({ commandsWith }) => commandsWith(others).expand(text)))
    },
    ...(run$ === undefined ? {} : { run: run$ }),
  }
}
