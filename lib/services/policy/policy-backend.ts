// Answers the commands that explain decisions and translate rules of other agents.
import { defer } from 'rxjs'
import type { PolicyBackend } from '../contract/server-backend.ts'
import { explainCall } from './explain-call.ts'
import type { ExplainOptions } from './explain-call.ts'
import { importRules } from './import-rules.ts'

export function createPolicyBackend(options: ExplainOptions): PolicyBackend {
  return {
    explain: (command) => explainCall(command, options),
    importRules: (command) =>
      defer(() => importRules(command, options.configured(command.env ?? {}).settings.permissions ?? {})),
  }
}
