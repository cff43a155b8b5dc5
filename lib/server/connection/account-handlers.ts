// Handles the commands about accounts.
import type { CommandType } from '../../streams/commands/command.ts'
import { respond } from './request-context.ts'
import type { Handler } from './request-context.ts'

export const accountHandlers = {
  auth_login: ({ type, ...command }, { backend }) => respond(backend.accounts.login(command)),
  auth_login_wait: ({ type, ...command }, { backend }) => respond(backend.accounts.wait(command)),
  auth_login_input: ({ type, ...command }, { backend }) => respond(backend.accounts.input(command)),
  auth_login_cancel: ({ type, ...command }, { backend }) => respond(backend.accounts.cancel(command)),
  auth_accounts: (_command, { backend }) => respond(backend.accounts.accounts()),
  auth_logout: ({ type, ...command }, { backend }) => respond(backend.accounts.logout(command)),
} satisfies { readonly [Name in CommandType]?: Handler<Name> }
