// Schemas of the commands about scenarios: what is declared, and the phase of a session.
// No model is offered them (docs/design/security.md#S1).
import { Type } from '@sinclair/typebox'
import { nullable } from '../schema/schema-helpers.ts'
import { SessionId } from '../values/identifiers.ts'

const session = SessionId
const name = Type.String({ minLength: 1, maxLength: 64 })

/** The fields beside `type`, by command. */
export const scenarioParameters = {
  /** Lists the scenarios that the session can take: built-in ones, the user's, and those of a trusted project. */
  list_scenarios: { session },
  /**
   * Enters a phase, from the next decision and request on. `scenario` null leaves the scenario; absent, it is the
   * present one. `phase` is the first one by default.
   */
  set_scenario_phase: {
    session,
    scenario: Type.Optional(nullable(name)),
    phase: Type.Optional(name),
  },
}

/** The results, by command. */
export const scenarioResults = {
  list_scenarios: {
    scenarios: Type.Array(
      Type.Object({
        name: Type.String(),
        description: Type.String(),
        /** `built-in`, `user`, `package` or `project`. */
        source: Type.String(),
        path: Type.Optional(Type.String()),
        start: Type.String(),
        phases: Type.Array(
          Type.Object({
            name: Type.String(),
            description: Type.Optional(Type.String()),
            readOnly: Type.Boolean(),
            model: Type.Optional(Type.String()),
          }),
        ),
      }),
    ),
    /** Files that declare no scenario (`error`), or not quite the one that was meant (`warning`). */
    problems: Type.Array(Type.Object({ path: Type.String(), level: Type.String(), message: Type.String() })),
  },
  /** The phase that holds now; absent outside of scenarios. */
  set_scenario_phase: { scenario: Type.Optional(Type.String()), phase: Type.Optional(Type.String()) },
}
