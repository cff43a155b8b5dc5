// Tests which steps between phases add power.
import { expect, it } from 'vitest'
import { addsPower } from '../../../lib/streams/ports/scenarios.ts'
import type { ScenarioPhase } from '../../../lib/streams/ports/scenarios.ts'

const phase = (fields: Partial<ScenarioPhase>): ScenarioPhase => ({ name: 'a', transitions: [], ...fields })

it.each<[Partial<ScenarioPhase>, Partial<ScenarioPhase>, boolean]>([
  [{}, {}, false],
  [{}, { model: 'a/b' }, true],
  [{ model: 'a/b' }, { model: 'a/b' }, false],
  [{ model: 'a/b' }, { model: 'a/c' }, true],
  [{ model: 'a/b' }, {}, false],
  [{ readOnly: true }, { readOnly: true }, false],
  [{ readOnly: true }, { readOnly: false }, true],
  [{ tools: ['a', 'b'] }, { tools: ['b'] }, false],
  [{ tools: [] }, { tools: ['b'] }, true],
  [{ capabilities: ['read'] }, {}, true],
  [{}, { capabilities: ['read'] }, false],
])('a step from %j to %j adds power: %j [S1c]', (from, to, adds) => {
  expect(addsPower(phase(from), phase(to))).toBe(adds)
})
