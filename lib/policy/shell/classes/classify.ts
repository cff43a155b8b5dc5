// Classifies one call by its program and words.
import type { Evaluator, Frame, Invocation } from '../model/evaluator.ts'
import { programName } from '../model/path-patterns.ts'
import type { ShellState } from '../model/shell-state.ts'
import type { Classifier } from './call.ts'
import { credentialFindings } from './credential-files.ts'
import { deleteFindings } from './recursive-delete.ts'
import { deviceFindings } from './device-classes.ts'
import { gitFindings } from './git-history.ts'
import { installFindings } from './package-installation.ts'
import { listenerFindings } from './network-listeners.ts'
import { machineFindings } from './machine-classes.ts'
import { onlyPrints } from './printed-help.ts'
import { permissionFindings } from './permission-escalation.ts'
import { publishFindings } from './publishing.ts'
import { resourceFindings } from './resource-deletion.ts'
import { reverseShellFindings } from './reverse-shell.ts'

const classifiers: readonly Classifier[] = [
  deleteFindings,
  resourceFindings,
  deviceFindings,
  reverseShellFindings,
  machineFindings,
  permissionFindings,
  credentialFindings,
  gitFindings,
  publishFindings,
  installFindings,
  listenerFindings,
]

/** Packages whose program has another name. */
const otherNames: Readonly<Record<string, string>> = {
  'firebase-tools': 'firebase',
  'netlify-cli': 'netlify',
  'aws-cdk': 'cdk',
  sls: 'serverless',
  'fkill-cli': 'fkill',
}

export function classify(run: Evaluator, invocation: Invocation, state: ShellState, frame: Frame): void {
  const [name = '', ...args] = invocation.words
  const plain = programName(name).toLowerCase()
  const program = Object.hasOwn(otherNames, plain) ? (otherNames[plain] ?? plain) : plain
  if (onlyPrints(program, args)) return
  for (const classifier of classifiers) classifier({ invocation, program, args, state, frame, run })
}
