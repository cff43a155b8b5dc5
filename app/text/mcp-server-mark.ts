// Chooses the mark of an MCP server in lists: ready, starting, wants a sign-in, failed, not running.

const marks: Readonly<Record<string, string>> = {
  ready: '●',
  starting: '◐',
  waiting: '◐',
  needs_login: '!',
  failed: '✗',
}

/** @param problem why its configuration cannot be used */
export function serverMark({ state, problem }: { readonly state?: string; readonly problem?: string }): string {
  return problem === undefined ? (marks[state ?? ''] ?? '○') : '✗'
}
