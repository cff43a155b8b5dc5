// Creates the failure for a sandbox that the settings demand and the machine does not have.
import { Failure } from '../../../streams/values/failure.ts'
import type { SandboxMode } from '../../../streams/ports/sandbox.ts'

export function missingSandbox(
  mode: SandboxMode,
  { reason, message }: { readonly reason: string; readonly message: string },
): Failure {
  return new Failure('bad_config', `The sandbox "${mode}" was asked for, but there is none. ${message}`, {
    data: { reason },
  })
}
