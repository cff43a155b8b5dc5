// Commands about what an open session has around it: the files of its folder, the tools it may use.
import { Type } from '@sinclair/typebox'
import { SessionId } from './identifiers.ts'
import { stringEnum } from './string-enum.ts'

const session = SessionId

/** Their fields beside `type`, by command. */
export const workspaceParameters = {
  /**
   * Files and folders of the session's folder, hidden ones too, as .gitignore leaves them; those that have the letters of
   * `query` in their order, the best first. Without one those that lie highest. `limit`: 50.
   */
  find_files: {
    session,
    query: Type.Optional(Type.String({ maxLength: 1_000 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
  },
  /** The registered tools, which `set_active_tools` chooses from. */
  list_tools: { session },
}

/** What they are answered with. */
export const workspaceResults = {
  /**
   * Below the folder, a folder with `/` at its end. `more`: others match too. `complete: false`: the folder holds more than was
   * looked at (100,000 files, 5 s).
   */
  find_files: { files: Type.Array(Type.String()), more: Type.Boolean(), complete: Type.Boolean() },
  list_tools: {
    tools: Type.Array(
      Type.Object({
        name: Type.String(),
        description: Type.String(),
        capability: stringEnum(['read', 'write', 'execute', 'network']),
        active: Type.Boolean(),
      }),
    ),
  },
}
