// Promises of the sandbox and of the path fence.
import type { Chapter } from './chapter.ts'

export const sandbox: Chapter = {
  title: 'Sandbox',
  about: 'Commands run under a sandbox of the system, file tools behind the same fence in this process.',
  sections: [
    {
      id: 'SANDBOX',
      about: 'The fence and the sandbox.',
      cases: {
        'SANDBOX-paths':
          'One list of protected paths and credentials serves the sandbox, the path fence and the policy.',
        'SANDBOX-fence':
          'The path fence decides on real paths: workspace, temporary folder, outside; links are followed.',
        'SANDBOX-escape':
          'No command in the sandbox writes outside, reads credentials, gains rights, or reaches processes or the network.',
        'SANDBOX-sockets': 'No command in the sandbox reaches a Unix socket outside the workspace.',
        'SANDBOX-git':
          'Hooks, configuration and `.rxpi` stay as they are, whether they exist or not; what appears is moved aside.',
        'SANDBOX-life': 'Nothing outlives its sandboxed command, nor a killed rxpi; SIGTERM reaches the command first.',
        'SANDBOX-probe':
          'One real run decides whether there is a sandbox; without one, demanding it fails with the way to get it.',
        'SANDBOX-network':
          'Commands reach allowed hosts alone, through a proxy that resolves and checks addresses itself.',
        'SANDBOX-loopback':
          'Commands and jobs of one session share a loopback, which nothing else reaches; where it cannot be shared, each has its own.',
        'SANDBOX-note': 'A failure that looks like the fence is recognised by its words.',
        'SANDBOX-macos': 'The profile for sandbox-exec states the same fence.',
        'SANDBOX-ready':
          'A session prepares its sandbox before it decides about a call; one that cannot be had refuses it.',
        'SANDBOX-race':
          'A folder or file that is swapped while a file tool opens it changes nothing outside the fence.',
      },
    },
  ],
}
