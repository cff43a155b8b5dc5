// Makes the fields of `policy_explain` for a sandbox of the command line.
import type { CommandNamed } from '../../../lib/streams/commands/command.ts'
import type { SandboxMode } from '../../../lib/streams/ports/sandbox.ts'

/** A server of an earlier build knows `sandboxed` alone, and would answer for the sandbox of the settings. */
export function explainedSandbox(
  sandbox: SandboxMode | undefined,
): Pick<CommandNamed<'policy_explain'>, 'sandbox' | 'sandboxed'> {
  if (sandbox === undefined) return {}
  return sandbox === 'auto' ? { sandbox } : { sandbox, sandboxed: sandbox !== 'off' }
}
