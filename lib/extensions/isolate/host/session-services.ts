// Answers what the worker of an extension asks of its session, through the api of all extensions.
import { defer, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ExtensionApi, ExtensionSessionCommand } from '../../api/extension-api.ts'
import type { Question } from '../../../streams/ports/ask.ts'
import { Failure } from '../../../streams/values/failure.ts'
import type { SyncRequests, WorkerCalls } from '../link/requests.ts'
import type { ThreadServices } from './isolate-thread.ts'
import type { WorkerRegistrations } from './worker-registrations.ts'

type Answers<Requests> = { readonly [Name in keyof Requests]: (input: Requests[Name]) => unknown }

/** The worker sends only what its own api builds; the api of the session checks every value again. */
export function sessionServices(api: ExtensionApi, registrations: WorkerRegistrations): ThreadServices {
  const atOnce = syncAnswers(api, registrations)
  const calls = callAnswers(api, registrations)
  return {
    serveNow: (name, input) => {
      if (!Object.hasOwn(atOnce, name)) throw unknownRequest(name)
      return (atOnce[name as keyof SyncRequests] as (input: unknown) => unknown)(input)
    },
    serve: (name, input) => {
      if (!Object.hasOwn(calls, name)) return throwError(() => unknownRequest(name))
      return defer(() => (calls[name as keyof WorkerCalls] as (input: unknown) => Observable<unknown>)(input))
    },
  }
}

function syncAnswers(api: ExtensionApi, registrations: WorkerRegistrations): Answers<SyncRequests> {
  return {
    register: registrations.register,
    unregister: ({ key }) => {
      registrations.unregister(key)
    },
    activeTools: () => api.tools.active(),
    notify: ({ text, level }) => {
      api.ui.notify(text, level)
    },
    status: ({ text, key }) => {
      api.ui.status(text, key)
    },
    note: ({ text }) => {
      api.session.note(text)
    },
    plan: ({ call, items }) => registrations.contextOf(call).plan?.(items),
  }
}

function callAnswers(api: ExtensionApi, registrations: WorkerRegistrations): Answers<WorkerCalls> {
  return {
    ask: ({ question }) => api.ui.ask(question as Question),
    askInCall: ({ call, question }) => registrations.contextOf(call).ask(question as Question),
    proposePlan: ({ call, plan }) => {
      const answer$ = registrations.contextOf(call).proposePlan?.(plan)
      return answer$ ?? throwError(() => new Failure('bad_request', 'No phase of this session ends with a plan'))
    },
    send: ({ command }) => api.session.send(command as ExtensionSessionCommand),
    exec: ({ program, args, options }) => api.exec(program, args, options),
  }
}

function unknownRequest(name: string): Failure {
  return new Failure('bad_request', `A worker of an extension asked for ${name}, which there is not`)
}
