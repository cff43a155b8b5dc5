// Handles the commands about surfaces: the size of a screen, keys, and the end of a surface.
import { defer, of } from 'rxjs'
import type { CommandType } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { Handler, RequestContext } from './request-context.ts'

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
