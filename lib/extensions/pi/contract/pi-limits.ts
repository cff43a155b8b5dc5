// Reports what differs from pi's extension API, once each, and names the events that never come.

export interface PiLimits {
  /** Reports once that a function has no effect, or another one than in pi. */
  report(name: string, why: string): void
}

/** @param notify shows a text to the person */
export function piLimits(notify: (text: string) => void): PiLimits {
  const reported = new Set<string>()
  return {
    report: (name, why) => {
      if (reported.has(name)) return
      reported.add(name)
      notify(`${name} of pi differs in rxpi: ${why}`)
    },
  }
}

/** Events of pi that never come in rxpi, and why. */
export const missingEvents: Readonly<Record<string, string>> = {
  project_trust: 'rxpi asks about a folder before any extension runs',
  cache_warming_decision: 'rxpi does not warm caches',
  context_with_system: 'the system prompt is changed by before_agent_start',
  agent_before_settle: 'a run goes on by messages that agent_end sends',
  session_compact_failed: 'ctx.compact reports a failure to its caller',
}
