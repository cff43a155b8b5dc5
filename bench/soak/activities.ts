// What a soak must have done before its verdict counts, from its counts.

export interface Activity {
  readonly what: string
  readonly times: number
}

/** Each with the counts that it is the sum of. */
const activities: readonly (readonly [what: string, counts: RegExp])[] = [
  ['runs that ended', /^runs: /],
  ['requests to the model', /^model: (?!summaries)/],
  ['… that failed as networks do', /^model: (?!summaries|stream, whole)/],
  ['commands in the sandbox', /^calls: bash, /],
  ['… that tried to leave it', /^commands that tried to leave the sandbox$/],
  ['background jobs', /^jobs: of /],
  ['… that a model or a client stopped', /^jobs: stopped$/],
  ['calls of MCP servers', /^calls: MCP /],
  ['… that ended their server', /^calls: MCP die, /],
  ['MCP servers killed', /^MCP servers killed$/],
  ['calls of the extension in the server', /^calls: soak_plain, /],
  ['calls of the extension in threads', /^calls: soak_isolated, /],
  ['… that failed', /^calls: soak_isolated, error$/],
  ['reloads after a changed file', /^reload: ok$/],
  ['compactions by the window', /^compactions: (?!manual)/],
  ['compactions by command', /^compactions: manual$/],
  ['stays of clients', /^stays: (?!over the gateway)/],
  ['… over the gateway', /^stays: over the gateway$/],
  ['editors (ACP)', /^editors: /],
  ['… that were killed', /^editors: dies$/],
  ['readers that were killed', /^readers killed$/],
  ['files read from a client', /^files of a client: read, answers$|^editors, asked: fs\/read/],
  ['files written by a client', /^files of a client: write, answers$|^editors, asked: fs\/write/],
]

export function activitiesOf(counts: Readonly<Record<string, number>>): readonly Activity[] {
  const entries = Object.entries(counts)
  return activities.map(([what, pattern]) => ({
    what,
    times: entries.reduce((sum, [name, times]) => (pattern.test(name) ? sum + times : sum), 0),
  }))
}
