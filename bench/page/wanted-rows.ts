// The original goals in order, each with the target of the benchmark that shows it.
export interface WantedRow {
  readonly title: string
  readonly benchmark: string
  /** The targets' names; one that ends with `…` matches all that begin with it. */
  readonly targets: readonly string[]
}

export const wantedRows: readonly WantedRow[] = [
  { title: '`--version`', benchmark: 'start', targets: ['--version ÷ bare Node, wall'] },
  {
    title: 'Print mode, 50 deltas',
    benchmark: 'start',
    targets: ['-p ÷ pi, wall', '-p ÷ pi, CPU time', '-p ÷ pi, peak memory'],
  },
  { title: 'First request', benchmark: 'start', targets: ['first request'] },
  { title: 'Gap a turn, with a call of read', benchmark: 'server', targets: ['gap a turn beside the model ÷ pi'] },
  {
    title: '… in compacted sessions',
    benchmark: 'sessions',
    targets: ['gap of 100, 10,000, 100,000 messages, compacted: longest ÷ shortest'],
  },
  { title: 'Server ready', benchmark: 'server-start', targets: ['rxpi serve ÷ pi, ready', 'rxpi rpc ÷ pi, ready'] },
  { title: 'Prompt to first delta, warm', benchmark: 'server', targets: ['prompt → first delta ÷ pi'] },
  { title: 'Wire bytes', benchmark: 'server', targets: ['bytes a delta of 20 characters'] },
  { title: 'Deltas a second to one client', benchmark: 'server', targets: ['pi’s deltas a second ÷ ours'] },
  { title: 'CPU of a delta, whole agent', benchmark: 'server', targets: ['CPU a delta at 1 ms ÷ pi'] },
  {
    title: 'The loop in one process, log on',
    benchmark: 'versus-pi',
    targets: [
      'session ÷ pi, 1 subscriber…',
      'session ÷ pi, 100 subscribers…',
      'dearest ÷ cheapest length, µs a delta, 1 subscriber',
    ],
  },
  { title: 'An argument of 200,000 characters', benchmark: 'versus-pi', targets: ['arguments in …'] },
  { title: '… `get_state` meanwhile', benchmark: 'server', targets: ['get_state during a long argument, p99'] },
  {
    title: 'A subscriber that takes 1 ms an event',
    benchmark: 'versus-pi',
    targets: ['run with a subscriber that waits 1 ms an event ÷ without'],
  },
  {
    title: 'A client that stops reading',
    benchmark: 'server',
    targets: ['memory that it adds', 'time with a client that stops ÷ without'],
  },
  { title: 'Output of bash on the wire', benchmark: 'server', targets: ['bytes sent for a byte of output'] },
  {
    title: 'A session of 100,000 entries again',
    benchmark: 'sessions',
    targets: ['100,000 messages, ready ÷ pi', '… memory when ready ÷ pi'],
  },
  { title: '… compacted', benchmark: 'sessions', targets: ['… compacted, to its context ÷ pi'] },
  {
    title: 'Terminal UI',
    benchmark: 'ui',
    targets: [
      'idle memory of the UI ÷ pi',
      'CPU of UI and server ÷ pi, 1000 deltas',
      'CPU of UI and server ÷ pi, 5000 deltas',
    ],
  },
]
