// Defines what a sandboxed command may reach, and the forms of a command inside and outside.
import type { SandboxProfileName } from '../../streams/ports/sandbox.ts'
import type { SharedNetwork } from './network/shared-network.ts'
import type { ProtectedSurroundings } from './protected-paths.ts'

export interface SandboxProfile extends Pick<ProtectedSurroundings, 'homeFolder' | 'rxpiFolders'> {
  readonly name: SandboxProfileName
  /** Absolute, real. */
  readonly workspace: string
  /** The session's temporary folder, absolute and real. Linux shows it as `/tmp`. */
  readonly temp: string
  /** Absolute, real: folders that stay readable inside hidden ones, such as spill files and loaded skills. */
  readonly readable?: readonly string[]
  /** Absolute: hidden beside the credentials of `homeFolder`. */
  readonly hidden?: readonly string[]
  /** Absolute, real: folders beside the workspace that a person opened for writing. */
  readonly writable?: readonly string[]
  /** The socket of the filtering proxy on the host; absent: no network at all. */
  readonly proxySocket?: string
  /** The network of the session's commands; absent: each command has one of its own. Not for sandbox-exec. */
  readonly network?: SessionNetwork
  readonly limits?: SandboxLimits
}

export interface SessionNetwork extends SharedNetwork {
  /** Where the forwarder to the proxy listens in it, on 127.0.0.1; present if there is a proxy. */
  readonly proxyPort?: number
}

export interface SandboxLimits {
  /** Most processes and threads in the sandbox; 0 = no limit. Default 2,048; not enforced for root. */
  readonly processes?: number
  /** Largest file in bytes that a command may write; 0 = no limit, the default. */
  readonly fileBytes?: number
}

/** A command as `spawnProcess` takes it. */
export interface PlainCommand {
  /** Absolute path. */
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** True if it leads a terminal of its own. Default false. */
  readonly hasTerminal?: boolean
}

/** The command that runs another one inside the sandbox. */
export interface SandboxedCommand extends PlainCommand {
  /** Bytes that it reads from descriptors 3, 4 …. */
  readonly inputs: readonly Uint8Array[]
}

/** The programs of a sandbox, as the probe found them. */
export interface SandboxProgram {
  readonly kind: 'bubblewrap' | 'sandbox-exec'
  /** Absolute path. */
  readonly program: string
}
