// Loads an extension in a worker thread, sets it up, and answers the calls of its session.
import { EMPTY, map, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ExtensionDefinition } from '../../api/define-extension.ts'
import type { ExtensionApi } from '../../api/extension-api.ts'
import { compileInThread } from '../../loader/compile-in-thread.ts'
import { loadModule } from '../../loader/load-module.ts'
import type { LibraryEntries } from '../../loader/load-module.ts'
import { settled } from '../../lifecycle/settle.ts'
import { scope } from '../../../streams/rx/scope.ts'
import { Failure } from '../../../streams/values/failure.ts'
import { isRecord } from '../../../streams/values/json.ts'
import { callLink } from '../link/call-link.ts'
import type { CallLink } from '../link/call-link.ts'
import type { LinkMessage, WorkerStart } from '../link/link-messages.ts'
import { withoutMethods } from '../link/plain-data.ts'
import type { SessionCalls } from '../link/requests.ts'
import type { ServedCall } from '../link/served-calls.ts'
import { answerOnce } from './answer-once.ts'
import { runTool } from './execute-tool.ts'
import { syncRequests } from './sync-requests.ts'
import type { AskNow } from './sync-requests.ts'
import { workerApi } from './worker-api.ts'
import type { WorkerFunctions } from './worker-api.ts'

/** Serves until the session ends the worker. */
export function runWorker(start: WorkerStart, entriesFor: (file: SessionCalls['load']) => LibraryEntries): void {
  const { port } = start
  const answers = answersFor(syncRequests(start), entriesFor, () => link)
  const link: CallLink = callLink({
    post: (message) => {
      port.postMessage(message)
    },
    serve: (name, input, call) => {
      if (Object.hasOwn(answers, name)) return answers[name as keyof SessionCalls](input as never, call)
      return throwError(() => new Failure('bad_request', `The session called ${name}, which there is not`))
    },
  })
  port.on('message', (message: LinkMessage) => {
    link.receive(message)
  })
}

type Answers = {
  readonly [Name in keyof SessionCalls]: (input: SessionCalls[Name], call: ServedCall) => Observable<unknown>
}

function answersFor(
  askNow: AskNow,
  entriesFor: (file: SessionCalls['load']) => LibraryEntries,
  link: () => CallLink,
): Answers {
  const life = scope()
  const functions: WorkerFunctions = { tools: new Map(), commands: new Map(), hooks: new Map(), texts: new Map() }
  let setup: ExtensionDefinition['setup'] = () => undefined
  return {
    load: (file) =>
      loadModule(file, entriesFor(file), (text) => compileInThread(text)).pipe(
        map((exported) => {
          const module = checkExport(exported, file.entry)
          setup = (api: ExtensionApi): unknown => module.setup(api)
          return withoutMethods(module)
        }),
      ),
    setup: (input) => settled(setup(workerApi({ ...input, link: link(), askNow, life, functions }))),
    tool: (input, call) => runTool(found(functions.tools, input.key), input, call, { link: link(), askNow }),
    command: ({ key, args }) => answerOnce(() => found(functions.commands, key).run(args)),
    hook: ({ key, input }) => answerOnce(() => found(functions.hooks, key)(input as never)),
    end: () => {
      life.end()
      return EMPTY
    },
  }
}

/** The session checks the rest. @throws Failure `bad_config` */
function checkExport(exported: unknown, entry: string): ExtensionDefinition {
  if (isDefinition(exported)) return exported
  const why = isRecord(exported)
    ? 'it has no function `setup`'
    : 'its default export is no extension; write `export default defineExtension({ name, version, setup })`'
  throw new Failure('bad_config', `The extension ${entry} cannot be loaded: ${why}`)
}

function isDefinition(exported: unknown): exported is ExtensionDefinition {
  return isRecord(exported) && typeof exported['setup'] === 'function'
}

/** @throws Failure `bad_request` */
function found<Value>(functions: ReadonlyMap<string, Value>, key: string): Value {
  const value = functions.get(key)
  if (value === undefined) throw new Failure('bad_request', `${key} is not registered any more`)
  return value
}
