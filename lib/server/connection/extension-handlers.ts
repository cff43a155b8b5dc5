// Handles the commands about extensions; the audit names the client that sent them.
import { map, mergeMap, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { CommandNamed, CommandType, ResultOf } from '../../streams/commands/command.ts'
import { noExtensionUi } from '../../streams/commands/extension-ui-commands.ts'
import type { ExtensionUi } from '../../streams/commands/extension-ui-commands.ts'
import type { RenderedEvent } from '../../streams/commands/render-commands.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { Answer, RequestContext } from './request-context.ts'

type Handler<Name extends CommandType> = (
  command: CommandNamed<Name>,
  context: RequestContext,
) => Observable<Answer<ResultOf<Name>>>

/** The operator of a client without a name. */
const unnamed = 'client'

export const extensionHandlers = {
  extension_list: ({ type, ...command }, { backend }) =>
    backend.extensions.list(command).pipe(map((result) => ({ result }))),
  extension_trust: ({ type, ...command }, { backend, client }) =>
    backend.extensions.trust(command, client.identity.name ?? unnamed).pipe(map((result) => ({ result }))),
  extension_kill: ({ type, ...command }, { backend, client }) =>
    backend.extensions.kill(command, client.identity.name ?? unnamed).pipe(map((result) => ({ result }))),
  extension_audit: ({ type, ...command }, { backend }) =>
    backend.extensions.audit(command).pipe(map((result) => ({ result }))),
  package_install: ({ type, ...command }, { backend }) =>
    backend.extensions.installPackage(command).pipe(map((result) => ({ result }))),
  package_list: (_command, { backend }) => backend.extensions.listPackages().pipe(map((result) => ({ result }))),
  package_remove: ({ type, ...command }, { backend }) =>
    backend.extensions.removePackage(command).pipe(map((result) => ({ result }))),
  package_update: ({ type, ...command }, { backend }) =>
    backend.extensions.updatePackages(command).pipe(map((result) => ({ result }))),
  get_extension_ui: ({ session }, { sessions }) =>
    sessions.opened(session).pipe(
      map((served) => {
        const ui = served.session.extensionUi?.() ?? noExtensionUi
        const { statuses, notices, keys, themes } = ui
        const lists = { statuses: [...statuses], notices: [...notices], keys: [...keys], themes: [...themes] }
        return { result: { ...lists, ...optionalParts(ui) } }
      }),
    ),
  render_event: ({ session, seq }, { sessions }) =>
    sessions.opened(session).pipe(
      mergeMap(({ session: opened }) => {
        const [record] = opened.logged({ after: seq - 1 })
        if (record === undefined || !drawable.has(record.event.type)) throw undrawableFailure(seq)
        return opened.renderEvent?.(record.event) ?? of({})
      }),
      map(({ extension, nodes }: RenderedEvent) => ({
        result: { ...(extension !== undefined && { extension }), ...(nodes && { nodes: [...nodes] }) },
      })),
    ),
} satisfies { readonly [Name in CommandType]?: Handler<Name> }

const drawable: ReadonlySet<string> = new Set(['custom', 'tool_execution_end', 'message_end'])

function undrawableFailure(seq: number): Failure {
  return new Failure('bad_request', `The event ${seq} is not one of ${[...drawable].join(', ')}`)
}

function optionalParts({ commands, renders, rendersTools, rendersMessages }: ExtensionUi) {
  return {
    ...(commands && { commands: [...commands] }),
    ...(renders && { renders: [...renders] }),
    ...(rendersTools && { rendersTools: [...rendersTools] }),
    ...(rendersMessages && { rendersMessages: [...rendersMessages] }),
  }
}
