// A server with one real session in memory; the session has the tools of the test.
import { map, of } from 'rxjs'
import { scripted, scriptedModel } from '../../lib/providers/offline/scripted.ts'
import { createServer } from '../../lib/server/create-server.ts'
import type { Server } from '../../lib/server/create-server.ts'
import { openSession } from '../../lib/session/create/open-session.ts'
import type { SessionOptions } from '../../lib/session/contract/session-parts.ts'
import type { Session } from '../../lib/session/contract/session.ts'
import type { Question } from '../../lib/streams/ports/ask.ts'
import { compileSchema } from '../../lib/streams/schema/compile-schema.ts'
import { textResult } from '../../lib/streams/ports/tool.ts'
import type { AnyTool } from '../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../lib/testing/fake-tool.ts'
import { fakeBackend } from './fake-backend.ts'
import { faultyLog } from './faulty-log.ts'

export interface AskingServer {
  readonly server: Server
  readonly session: Session
}

export interface AskingServerOptions {
  readonly script: Parameters<typeof scripted>[0]
  readonly tools: readonly AnyTool[]
  readonly options?: SessionOptions
  /** The folder of the session. Default: one that does not exist. */
  readonly cwd?: string
}

/** Resolves `new_session` to the session. */
export function askingServer({ script, tools, options = {}, cwd = '/somewhere' }: AskingServerOptions): AskingServer {
  const provider = scripted(script)
  const session = openSession({
    log: faultyLog().log,
    settings: () => ({ model: scriptedModel, provider, system: '', thinkingLevel: 'off', tools }),
    tools: { cwd, env: {} },
    options: {
      approve: 'auto',
      validatorOf: (tool) => tool.validate ?? compileSchema(tool.parameters),
      ...options,
    },
  })
  const host = fakeBackend()
  const sessions = { ...host.sessions, create: () => of({ session, notices: [] }) }
  const server = createServer({ host: { ...host, sessions }, version: '1.0.0' })
  return { server, session }
}

/** A tool that asks one question and returns the outcome. */
export function askingTool(question: Question): AnyTool {
  return fakeTool(
    'ask',
    ({ context }) => context.ask(question).pipe(map((answer) => textResult(JSON.stringify(answer)))),
    { timeoutMs: 0 },
  )
}
