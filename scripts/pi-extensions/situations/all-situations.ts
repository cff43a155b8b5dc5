// Names the situation of each of pi's examples.
import type { Situation } from '../contract/situation.ts'
import { hookSituations } from './hook-situations.ts'
import { screenSituations } from './screen-situations.ts'
import { toolSituations } from './tool-situations.ts'

export const situations: Readonly<Record<string, Situation>> = {
  ...hookSituations,
  ...toolSituations,
  ...screenSituations,
}
