// Guards the stop rules of extensions: one that throws is a fault, and does not end the run.
import type { ExtensionSet } from '../../extensions/lifecycle/set-contract.ts'
import type { StopRule } from '../../streams/ports/hooks.ts'

/** The rules that are registered now, for one run. */
export function extensionStopRules(set: ExtensionSet): readonly StopRule[] {
  return set.contributions.stopRules.entries.map(({ owner, value }) => guarded(set, owner, value))
}

function guarded(set: ExtensionSet, owner: string, rule: StopRule): StopRule {
  const guard = <Value>(act: () => Value, otherwise: Value): Value => {
    try {
      return act()
    } catch (thrown) {
      set.faults.report(owner, `the stop rule ${rule.name}`, thrown)
      return otherwise
    }
  }
  return {
    name: rule.name,
    ...(rule.reason === undefined ? {} : { reason: rule.reason }),
    matches: (turn) => guard(() => rule.matches(turn), false),
    cannotTell: (turn) => guard(() => rule.cannotTell?.(turn), undefined),
    begin: () => guarded(set, owner, guard(() => rule.begin?.(), undefined) ?? unchanging(rule)),
    end: () => {
      guard(() => rule.end?.(), undefined)
    },
  }
}

/** A rule without a state of its own, for one run. */
function unchanging(rule: StopRule): StopRule {
  const { name, reason } = rule
  return {
    name,
    ...(reason === undefined ? {} : { reason }),
    matches: (turn) => rule.matches(turn),
    cannotTell: (turn) => rule.cannotTell?.(turn),
  }
}
