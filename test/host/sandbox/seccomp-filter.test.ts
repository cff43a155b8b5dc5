// Tests what the filter of the sandbox answers to system calls: its program runs here, on made-up calls.
import { describe, expect, it } from 'vitest'
import { seccompFilter } from '../../../lib/host/sandbox/seccomp-filter.ts'

const machine = { x64: 0xc000003e, arm64: 0xc00000b7 }
const allowed = 0x7fff0000
const refused = (errno: number): number => 0x00050000 | errno
const [eperm, enosys, eafnosupport] = [refused(1), refused(38), refused(97)]

interface Call {
  readonly number: number
  readonly args?: readonly number[]
  readonly machine?: number
}

/** Runs the four instructions that the filter has, as the kernel does. */
function answer(architecture: 'x64' | 'arm64', { number, args = [], machine: own = machine[architecture] }: Call) {
  const bytes = seccompFilter(architecture) ?? new Uint8Array()
  const code = new DataView(bytes.buffer)
  const data = new Map([[0, number], [4, own], ...args.map((value, at) => [16 + at * 8, value] as const)])
  let loaded = 0
  for (let at = 0; at < bytes.length / 8; at += 1) {
    const operand = code.getUint32(at * 8 + 4, true)
    const jump = (isTrue: boolean): number => code.getUint8(at * 8 + (isTrue ? 2 : 3))
    const operation = code.getUint16(at * 8, true)
    if (operation === 0x06) return operand
    if (operation === 0x20) loaded = data.get(operand) ?? 0
    else if (operation === 0x15) at += jump(loaded === operand)
    else if (operation === 0x35) at += jump(loaded >= operand)
    else if (operation === 0x45) at += jump((loaded & operand) !== 0)
    else throw new Error(`instruction ${operation}`)
  }
  throw new Error('the filter does not end')
}

const numbers = {
  x64: { read: 0, ioctl: 16, socket: 41, socketpair: 53, clone: 56, unshare: 272, mount: 165, setns: 308, keyctl: 250 },
  arm64: { read: 63, ioctl: 29, socket: 198, socketpair: 199, clone: 220, unshare: 97, mount: 40, setns: 268, keyctl: 219 }, // prettier-ignore
}

describe.each(['x64', 'arm64'] as const)('the filter for %s [SANDBOX-escape]', (architecture) => {
  const { read, ioctl, socket, socketpair, clone, unshare, mount, setns, keyctl } = numbers[architecture]

  it.each<[string, Call, number]>([
    ['an ordinary call', { number: read }, allowed],
    ['typing into a terminal', { number: ioctl, args: [0, 0x5412] }, eperm],
    ['pasting into a console', { number: ioctl, args: [0, 0x541c] }, eperm],
    ['the size of a terminal', { number: ioctl, args: [0, 0x5413] }, allowed],
    ['a Unix socket', { number: socket, args: [1] }, allowed],
    ['an IPv4 socket', { number: socket, args: [2] }, allowed],
    ['an IPv6 socket', { number: socket, args: [10] }, allowed],
    ['a netlink socket', { number: socket, args: [16] }, allowed],
    ['a socket of packets', { number: socket, args: [17] }, eafnosupport],
    ['a socket of virtual machines', { number: socket, args: [40] }, eafnosupport],
    ['a pair of Unix sockets', { number: socketpair, args: [1] }, allowed],
    ['a pair of Bluetooth sockets', { number: socketpair, args: [31] }, eafnosupport],
    ['a process', { number: clone, args: [17] }, allowed],
    ...[0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000].flatMap(
      (flag): readonly [string, Call, number][] => [
        [`a process in a namespace of its own (${flag.toString(16)})`, { number: clone, args: [flag | 17] }, eperm],
        [`leaving a namespace (${flag.toString(16)})`, { number: unshare, args: [flag] }, eperm],
      ],
    ),
    ['a file table of its own', { number: unshare, args: [0x400] }, allowed],
    ['clone3, whose flags no filter reads', { number: 435 }, enosys],
    ['entering a namespace', { number: setns }, eperm],
    ['mount', { number: mount }, eperm],
    ['the keys of the session', { number: keyctl }, eperm],
    ['io_uring_setup', { number: 425 }, eperm],
    ['move_mount', { number: 429 }, eperm],
    ['mount_setattr', { number: 442 }, eperm],
    ['a call of another architecture', { number: read, machine: 0x40000003 }, enosys],
    ['a call by the numbers of x32', { number: 0x40000000 + read }, enosys],
  ])('%s', (_, call, expected) => {
    expect(answer(architecture, call)).toBe(expected)
  })
})

it('is missing for an architecture without a table', () => {
  expect(seccompFilter('s390x')).toBeUndefined()
})
