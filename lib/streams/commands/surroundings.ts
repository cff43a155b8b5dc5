// What a client says of the place that a command is given in.
import { Type } from '@sinclair/typebox'

/** docs/design/security.md#S7: the client's own folder and environment, for this command or session alone; never logged or returned. */
export const surroundings = {
  cwd: Type.String({ minLength: 1 }),
  env: Type.Optional(Type.Record(Type.String(), Type.String())),
}
