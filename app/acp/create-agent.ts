// The agent of ACP: answers the requests of one editor with the sessions of a server.
import path from 'node:path'
import { agent, methods } from '@agentclientprotocol/sdk'
import type { AgentApp } from '@agentclientprotocol/sdk'
import { Observable, concat, defer, map, mergeMap, of } from 'rxjs'
import type { MonoTypeOperatorFunction } from 'rxjs'
import type { ReconnectingClient } from '../../lib/server/client/reconnecting-client.ts'
import { Failure } from '../../lib/streams/values/failure.ts'
import type { SessionOptions } from '../commands/sessions/open-session-choice.ts'
import { isCancelled, requestErrorOf } from './wire/acp-error.ts'
import { signIn, signInMethods } from './auth/sign-in.ts'
import { featuresOf, initialised, steerMethod } from './initialise.ts'
import { listSessions } from './list-sessions.ts'
import type { Peer } from './wire/peer.ts'
import { parseFork, parseSteer } from './prompt/parse-params.ts'
import type { DrivenSession } from './session/driven-session.ts'
import { openCopy, openNew, openStored } from './session/open-driven.ts'
import type { OpeningContext } from './session/open-driven.ts'
import type { OpenSessions } from './session/open-sessions.ts'

export interface AgentParts {
  readonly client: Pick<ReconnectingClient, 'events$' | 'request'>
  readonly sessions: OpenSessions
  readonly env: Readonly<Record<string, string>>
  readonly options: SessionOptions
  readonly version: string
  /** The editor, from the first request on. */
  peer(): Peer
}

export function createAgent(parts: AgentParts): AgentApp {
  const { client, peer, env, options, version } = parts
  let features = featuresOf({})
  const context = (servers: OpeningContext['servers']): OpeningContext => ({
    ...{ client, peer: peer(), env, options, features, servers },
  })
  const app = agent({ name: 'rxpi' })
    .onRequest(methods.agent.initialize, ({ params: { clientCapabilities = {} } }) => {
      features = featuresOf(clientCapabilities)
      return answer(() => signInMethods(client, features).pipe(map((found) => initialised(version, found))))
    })
    .onRequest(methods.agent.authenticate, ({ params: { methodId }, client: { requestId = null } }) =>
      answer(() => signIn(methodId, { client, env, peer: peer(), requestId })),
    )
  addOpening(app, parts.sessions, context)
  addStored(app, parts)
  addDriving(app, parts)
  return app
}

const { session } = methods.agent

function addOpening(
  app: AgentApp,
  sessions: OpenSessions,
  contextOf: (servers: OpeningContext['servers']) => OpeningContext,
): void {
  const openingIn = (cwd: string, servers: OpeningContext['servers'] = []) => {
    const [folder, context] = [absolute(cwd), contextOf(servers)]
    const openAgain$ = (session: string, replays: boolean) => openStored(session, folder, { ...context, replays })
    const trust = { peer: context.peer, env: context.env, reopen: (session: string) => openAgain$(session, false) }
    return { folder, context, openAgain$, trust }
  }
  app
    .onRequest(session.new, ({ params: { cwd, mcpServers } }) =>
      answer(() => {
        const { folder, context, trust } = openingIn(cwd, mcpServers)
        return sessions.add(openNew(folder, context), trust)
      }),
    )
    .onRequest(session.load, ({ params: { sessionId, cwd, mcpServers } }) =>
      answer(() => {
        const { openAgain$, trust } = openingIn(cwd, mcpServers)
        return sessions.reopen(sessionId, openAgain$(sessionId, true), trust)
      }),
    )
    .onRequest(session.resume, ({ params: { sessionId, cwd, mcpServers } }) =>
      answer(() => {
        const { openAgain$, trust } = openingIn(cwd, mcpServers)
        return sessions.reopen(sessionId, openAgain$(sessionId, false), trust)
      }),
    )
    .onRequest('session/fork', parseFork, ({ params: { sessionId, cwd } }) =>
      answer(() => {
        const { folder, context, trust } = openingIn(cwd)
        return sessions.add(openCopy(sessionId, folder, context), trust)
      }),
    )
}

function addStored(app: AgentApp, { client, sessions }: AgentParts): void {
  app
    .onRequest(session.list, ({ params }) => answer(() => listSessions(client, params)))
    .onRequest(session.delete, ({ params: { sessionId } }) =>
      answer(() => {
        sessions.leave(sessionId)
        return client.request({ type: 'delete_session', session: sessionId }).pipe(map(() => ({})))
      }),
    )
    .onRequest(session.close, ({ params: { sessionId } }) =>
      answer(() => {
        sessions.find(sessionId).cancel()
        sessions.leave(sessionId)
        return of({})
      }),
    )
}

function addDriving(app: AgentApp, { sessions }: AgentParts): void {
  app
    .onRequest(session.setMode, ({ params: { sessionId, modeId } }) =>
      answer(() => concat(sessions.find(sessionId).set('mode', modeId), of({}))),
    )
    .onRequest(session.setConfigOption, ({ params: { sessionId, configId, value } }) =>
      answer(() => {
        const driven = sessions.find(sessionId)
        const options$ = defer(() => of({ configOptions: driven.settings.options() }))
        return concat(driven.set(configId, value), options$)
      }),
    )
    .onRequest(session.prompt, ({ params: { sessionId, prompt }, signal }) =>
      answer(() =>
        sessions
          .whenOpen(sessionId)
          .pipe(mergeMap((driven) => driven.prompt(prompt).pipe(untilTakenBack(signal, driven)))),
      ),
    )
    .onNotification(session.cancel, ({ params: { sessionId } }) => {
      sessions.find(sessionId).cancel()
    })
    .onRequest(steerMethod, parseSteer, ({ params: { sessionId, prompt } }) =>
      answer(() => sessions.find(sessionId).steer(prompt)),
    )
}

/** Stops the run when the editor takes its request back; the end of the connection stops nothing. */
function untilTakenBack<Result>(signal: AbortSignal, driven: DrivenSession): MonoTypeOperatorFunction<Result> {
  return (answer$) =>
    new Observable((subscriber) => {
      const onAbort = (): void => {
        if (isCancelled(signal)) driven.cancel()
      }
      signal.addEventListener('abort', onAbort)
      subscriber.add(() => {
        signal.removeEventListener('abort', onAbort)
      })
      subscriber.add(answer$.subscribe(subscriber))
    })
}

/** Resolves with the first value. Rejects with an error of ACP. */
function answer<Result>(work: () => Observable<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      reject(requestErrorOf(error))
    }
    defer(work).subscribe({
      next: resolve,
      error: fail,
      complete: () => {
        fail(new Failure('disconnected', 'The server has ended'))
      },
    })
  })
}

/** @throws Failure `bad_request` */
function absolute(cwd: string): string {
  if (path.isAbsolute(cwd)) return cwd
  throw new Failure('bad_request', `cwd has to be an absolute path, not ${JSON.stringify(cwd.slice(0, 200))}`)
}
