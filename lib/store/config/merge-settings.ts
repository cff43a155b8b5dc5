// Later layers win key by key; the limits of a layer replace only the limits that it names.
import type { Settings } from '../../streams/config/settings.ts'

/** The layers in one, the last one strongest. */
export function mergeSettings(...layers: readonly Settings[]): Settings {
  return layers.reduce((below, above) => {
    const limits = { ...below.limits, ...above.limits }
    const bash = { ...below.bash, ...above.bash }
    return {
      ...below,
      ...above,
      ...(Object.keys(limits).length === 0 ? {} : { limits }),
      ...(Object.keys(bash).length === 0 ? {} : { bash }),
    }
  }, {})
}
