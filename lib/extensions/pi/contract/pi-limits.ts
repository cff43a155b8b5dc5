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
const missingEvents: Readonly<Record<string, string>> = {
  project_trust: 'rxpi asks about a folder before any extension runs',
  cache_warming_decision: 'rxpi does not warm caches',
  context_with_system: 'the system prompt is changed by before_agent_start',
  agent_before_settle: 'a run goes on by messages that agent_end sends',
}

/** Events of pi that handlers receive. */
const events: ReadonlySet<string> = new Set(
  'resources_discover session_start session_info_changed session_before_switch session_before_fork session_before_compact session_compact session_compact_failed session_shutdown session_before_tree session_tree context before_provider_request before_provider_headers after_provider_response before_agent_start agent_start agent_end agent_settled ui_prompt_start ui_prompt_end turn_start turn_end message_start message_update message_end tool_execution_start tool_execution_update tool_execution_end model_select thinking_level_select tool_call tool_result user_bash input'.split(
    ' ',
  ),
)

/** Why a handler of this event is never called; undefined if it is. */
export function whyNever(event: string): string | undefined {
  return events.has(event) ? undefined : (missingEvents[event] ?? 'rxpi knows no event of this name')
}
