// Writes the seccomp filter of the sandbox as BPF: refuses system calls that only escapes need.
// Guarantees: what is refused fails with an error number; only bubblewrap's own program is loaded before it.

/** A comparison of one argument's low 32 bits. */
interface Rule {
  readonly call: number
  readonly errno: number
  /** Absent: always. */
  readonly when?: {
    readonly argument: number
    readonly test: 'any-bit' | 'equals' | 'not-in'
    readonly values: readonly number[]
  }
}

interface Numbers {
  readonly architecture: number
  readonly socket: number
  readonly socketpair: number
  readonly ioctl: number
  readonly clone: number
  readonly clone3: number
  readonly unshare: number
  readonly refused: readonly number[]
}

/** Of the newer calls, all architectures have the same numbers. */
const refusedEverywhere = [
  425, // io_uring_setup: its requests pass no filter
  426, // io_uring_enter
  427, // io_uring_register
  428, // open_tree
  429, // move_mount
  430, // fsopen
  431, // fsconfig
  432, // fsmount
  433, // fspick
  442, // mount_setattr
]

/**
 * add_key, request_key, keyctl (keyrings of the session are not a namespace), bpf, perf_event_open, userfaultfd, setns,
 * mount, umount2, pivot_root, open_by_handle_at, kexec_load, kexec_file_load, init_module, finit_module, delete_module,
 * quotactl, acct, swapon, swapoff, reboot, syslog.
 */
const numbersOf: Readonly<Record<string, Numbers>> = {
  x64: {
    architecture: 0xc000003e,
    socket: 41,
    socketpair: 53,
    ioctl: 16,
    clone: 56,
    clone3: 435,
    unshare: 272,
    refused: [
      248, 249, 250, 321, 298, 323, 308, 165, 166, 155, 304, 246, 320, 175, 313, 176, 179, 163, 167, 168, 169, 103,
    ],
  },
  arm64: {
    architecture: 0xc00000b7,
    socket: 198,
    socketpair: 199,
    ioctl: 29,
    clone: 220,
    clone3: 435,
    unshare: 97,
    refused: [217, 218, 219, 280, 241, 282, 268, 40, 39, 41, 265, 104, 294, 105, 273, 106, 60, 89, 224, 225, 142, 116],
  },
}

const eperm = 1
const enosys = 38
const eafnosupport = 97

/** All namespaces: mount, cgroup, uts, ipc, user, pid, net. */
const namespaceFlags = 0x7e020000
/** TIOCSTI types into a terminal, TIOCLINUX pastes into a console. */
const typingCalls = [0x5412, 0x541c]
/** Unix, IPv4, IPv6, netlink: those that belong to the namespace or the fence. Not: vsock, packet, bluetooth … */
const socketFamilies = [1, 2, 10, 16]

/** The filter's bytes for `--seccomp`; undefined for an architecture without a table. */
export function seccompFilter(architecture: string = process.arch): Uint8Array | undefined {
  const numbers = numbersOf[architecture]
  return numbers === undefined ? undefined : assemble(numbers, rulesFor(numbers))
}

function rulesFor({ socket, socketpair, ioctl, clone, clone3, unshare, refused }: Numbers): readonly Rule[] {
  const families = { argument: 0, test: 'not-in', values: socketFamilies } as const
  const namespaces = { argument: 0, test: 'any-bit', values: [namespaceFlags] } as const
  return [
    { call: ioctl, errno: eperm, when: { argument: 1, test: 'equals', values: typingCalls } },
    { call: socket, errno: eafnosupport, when: families },
    { call: socketpair, errno: eafnosupport, when: families },
    { call: clone, errno: eperm, when: namespaces },
    { call: unshare, errno: eperm, when: namespaces },
    { call: clone3, errno: enosys }, // its flags are in memory, which no filter reads; libraries then use clone
    ...[...refused, ...refusedEverywhere].map((call) => ({ call, errno: eperm })),
  ]
}

const load = 0x20 // BPF_LD | BPF_W | BPF_ABS
const jumpIfEqual = 0x15
const jumpIfAtLeast = 0x35
const jumpIfBits = 0x45
const answer = 0x06

const allow = 0x7fff0000
const fail = (errno: number): number => 0x00050000 | errno

type Instruction = readonly [code: number, whenTrue: number, whenFalse: number, operand: number]

function assemble({ architecture }: Numbers, rules: readonly Rule[]): Uint8Array {
  const program: Instruction[] = [
    [load, 0, 0, 4],
    [jumpIfEqual, 1, 0, architecture],
    [answer, 0, 0, fail(enosys)], // 32-bit calls would pass by the numbers below
    [load, 0, 0, 0],
    [jumpIfAtLeast, 0, 1, 0x40000000],
    [answer, 0, 0, fail(enosys)], // the same for x32
    ...rules.flatMap(instructionsOf),
    [answer, 0, 0, allow],
  ]
  const bytes = new DataView(new ArrayBuffer(program.length * 8))
  program.forEach(([code, whenTrue, whenFalse, operand], index) => {
    bytes.setUint16(index * 8, code, true)
    bytes.setUint8(index * 8 + 2, whenTrue)
    bytes.setUint8(index * 8 + 3, whenFalse)
    bytes.setUint32(index * 8 + 4, operand, true)
  })
  return new Uint8Array(bytes.buffer)
}

/** Each rule begins and ends with the call's number loaded. */
function instructionsOf({ call, errno, when }: Rule): readonly Instruction[] {
  const refuse: Instruction = [answer, 0, 0, fail(errno)]
  if (when === undefined) return [[jumpIfEqual, 0, 1, call], refuse]
  const { argument, test, values } = when
  const code = test === 'any-bit' ? jumpIfBits : jumpIfEqual
  // a match leads to `refuse`, or for `not-in` past it
  const checks = values.map((value, index): Instruction => {
    const left = values.length - index - 1
    const isLast = left === 0
    if (test === 'not-in') return [code, left + 1, 0, value]
    return [code, left, isLast ? 1 : 0, value]
  })
  const body: Instruction[] = [[load, 0, 0, 16 + argument * 8], ...checks, refuse, [load, 0, 0, 0]]
  return [[jumpIfEqual, 0, body.length, call], ...body]
}
