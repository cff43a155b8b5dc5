// Handles the commands about accounts.
import { map } from 'rxjs'
import type { Observable } from 'rxjs'
import type { CommandNamed, CommandType, ResultOf } from '../../streams/commands/command.ts'
import type { Answer, RequestContext } from './request-context.ts'

type Handler<Name extends CommandType> = (
  command: CommandNamed<Name>,
  context: RequestContext,
) => Observable<Answer<ResultOf<Name>>>

export const accountHandlers = {
  auth_login: ({ type, ...command }, { backend }) =>
    backend.accounts.login(command).pipe(map((result) => ({ result }))),
  auth_login_wait: ({ type, ...command }, { backend }) =>
    backend.accounts.wait(command).pipe(map((result) => ({ result }))),
  auth_login_input: ({ type, ...command }, { backend }) =>
    backend.accounts.input(command).pipe(map((result) => ({ result }))),
  auth_login_cancel: ({ type, ...command }, { backend }) =>
    backend.accounts.cancel(command).pipe(map((result) => ({ result }))),
  auth_accounts: (_command, { backend }) => backend.accounts.accounts().pipe(map((result) => ({ result }))),
  auth_logout: ({ type, ...command }, { backend }) =>
    backend.accounts.logout(command).pipe(map((result) => ({ result }))),
} satisfies { readonly [Name in CommandType]?: Handler<Name> }
