// Handles the commands about extensions and their surfaces; the audit names the client that sent them.
import { defer, map, mergeMap, of } from 'rxjs'
import type { CommandType } from '../../streams/commands/command.ts'
import { noExtensionUi } from '../../streams/commands/extension-ui-commands.ts'
import type { ExtensionUi } from '../../streams/commands/extension-ui-commands.ts'
import type { RenderedEvent } from '../../streams/commands/render-commands.ts'
import { Failure } from '../../streams/values/failure.ts'
import { respond } from './request-context.ts'
import type { Handler, RequestContext } from './request-context.ts'

/** The operator of a client without a name. */
const unnamed = 'client'

export const extensionHandlers = {
  extension_list: ({ type, ...command }, { backend }) => respond(backend.extensions.list(command)),
  extension_trust: ({ type, ...command }, { backend, client }) =>
    respond(backend.extensions.trust(command, client.identity.name ?? unnamed)),
  extension_kill: ({ type, ...command }, { backend, client }) =>
    respond(backend.extensions.kill(command, client.identity.name ?? unnamed)),
  extension_audit: ({ type, ...command }, { backend }) => respond(backend.extensions.audit(command)),
  package_install: ({ type, ...command }, { backend }) => respond(backend.extensions.installPackage(command)),
  package_list: (_command, { backend }) => respond(backend.extensions.listPackages()),
  package_remove: ({ type, ...command }, { backend }) => respond(backend.extensions.removePackage(command)),
  package_update: ({ type, ...command }, { backend }) => respond(backend.extensions.updatePackages(command)),
  get_extension_ui: ({ session }, { sessions }) =>
    sessions.opened(session).pipe(
      map((served) => {
        const ui = served.session.extensionUi?.() ?? noExtensionUi
        const { statuses, notices, keys, themes } = ui
        const lists = { statuses: [...statuses], notices: [...notices], keys: [...keys], themes: [...themes] }
        return { result: { ...lists, ...optionalParts(ui) } }
      }),
    ),
  reload: ({ session }, { sessions }) =>
    sessions.opened(session).pipe(
      mergeMap((served) => served.session.reload?.() ?? of([])),
      map((names) => ({ result: { extensions: [...names] } })),
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

export const surfaceHandlers = {
  surface_resize: ({ session, columns, rows }, { client }) =>
    defer(() => {
      client.screens.resize(session, { columns, rows })
      return of({ result: {} })
    }),
  surface_key: ({ session, surface, data, name }, { client }) =>
    defer(() => {
      requirePerson(client)
      return of({ result: { ...client.screens.surfaces(session).press(surface, { data, name }) } })
    }),
  surface_close: ({ session, surface }, { client }) =>
    defer(() => {
      requirePerson(client)
      client.screens.surfaces(session).close(surface)
      return of({ result: {} })
    }),
} satisfies { readonly [Name in CommandType]?: Handler<Name> }

/** @throws Failure `not_allowed`: keys are those of a person */
function requirePerson({ identity }: RequestContext['client']): void {
  if (identity.ability$.value !== 'none') return
  throw new Failure('not_allowed', 'No person uses this client; send hello {ui: true} first')
}
