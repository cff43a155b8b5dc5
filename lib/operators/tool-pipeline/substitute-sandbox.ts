// The layer that moves tools into the session's sandbox.
import type { SessionSandbox } from '../../streams/ports/sandbox.ts'
import type { ToolContext } from '../../streams/ports/tool.ts'
import { overrideTool } from '../../streams/tool-definition/override-tool.ts'
import { mapTools } from './tool-draft.ts'
import type { ToolLayer } from './tool-draft.ts'

/**
 * Layer 2: replaces each tool by one whose calls get `inputs.sandbox` as `context.sandbox`. Without a sandbox the tools
 * stay as they are. Ends and fails with its source; holds the last tools.
 */
export function substituteSandbox(): ToolLayer {
  return mapTools(
    (tool, { sandbox }) =>
      sandbox === undefined
        ? tool
        : overrideTool(tool, { execute: (args, context) => tool.execute(args, inSandbox(context, sandbox)) }),
    ({ sandbox }) => [sandbox],
  )
}

/** A copy by descriptors: reading `signal` would promise that the tool ends by itself. */
function inSandbox(context: ToolContext, sandbox: SessionSandbox): ToolContext {
  return Object.defineProperties({} as ToolContext, {
    ...Object.getOwnPropertyDescriptors(context),
    sandbox: { value: sandbox, enumerable: true },
  })
}
