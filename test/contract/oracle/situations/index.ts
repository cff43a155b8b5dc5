// Every situation, in the order of the run; names are unique.
import type { Situation } from '../situation.ts'
import { abortsInTools } from './aborts-in-tools.ts'
import { aborts } from './aborts.ts'
import { continuing } from './continuing.ts'
import { failures } from './failures.ts'
import { hooks } from './hooks.ts'
import { prompts } from './prompts.ts'
import { queues } from './queues.ts'
import { tools } from './tools.ts'

export const situations: readonly Situation[] = [
  ...prompts,
  ...tools,
  ...hooks,
  ...queues,
  ...failures,
  ...aborts,
  ...abortsInTools,
  ...continuing,
]
