// Why a target is missed, where it is: said once here, and told on the page beside the figure of the run that missed it.
export interface Shortfall {
  readonly benchmark: string
  readonly target: string
  readonly why: string
}

export const shortfalls: readonly Shortfall[] = [
  {
    benchmark: 'server',
    target: 'gap a turn beside the model ÷ pi',
    why: 'A turn writes each of its lines to the log before it is told and starts its syncs; pi syncs nothing. On a disk that others keep busy a write waits for the sync before it: on a file system in memory the same gap is half as long.',
  },
  {
    benchmark: 'server',
    target: 'prompt → first delta ÷ pi',
    why: 'Most of pi’s time is its request’s way to the model and back, which ours has to go too: bare Node, which only passes lines on, takes more than half of pi’s time. Ours also writes prompt and answer to the disk (a sync) before it says that a run has begun.',
  },
  {
    benchmark: 'server',
    target: 'CPU a delta at 1 ms ÷ pi',
    why: 'At one delta a millisecond each comes by itself: a read, a write to the client, an entry into JavaScript and out of it. Bare Node, which only passes lines on, needs more than the target allows.',
  },
  {
    benchmark: 'server',
    target: 'time of 100 clients ÷ of bare sockets (≥ 70 % of the deliveries)',
    why: 'Reached in most runs; the program that reads for all 100 clients shares the two cores with the server, and its share decides.',
  },
  {
    benchmark: 'ui',
    target: 'CPU of UI and server ÷ pi, 1000 deltas',
    why: 'Two processes instead of one, and each drawing goes through Ink and React; short answers pay for a start-up’s compiling that long ones spread.',
  },
  {
    benchmark: 'sessions',
    target: '… to its context ÷ pi',
    why: 'Every message is checked against its schema and its line’s checksum when it is built, which pi does not; reading pi’s own file line by line takes 0.7 of pi’s time already. A prompt is taken long before (`ready`).',
  },
  {
    benchmark: 'sessions',
    target: '… memory with its context ÷ pi',
    why: 'All 100,000 messages are held as the model is told them; the state that a client needs is held beside them.',
  },
  {
    benchmark: 'sessions',
    target: '… with nothing kept beside its log ÷ pi',
    why: 'The first opening of a log that something else has written reads and checks every line once; what it finds is kept beside the log, and later openings take milliseconds.',
  },
  {
    benchmark: 'versus-pi',
    target: 'session ÷ pi, 1 subscriber, 1,000 deltas, the first of a process',
    why: 'Before anything is compiled, what is run first decides: ours has more code on the way of a delta (limits, checks, numbering, the log), and pi writes nothing to the disk.',
  },
]
