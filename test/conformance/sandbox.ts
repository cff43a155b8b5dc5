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
        'SANDBOX-race':
          'A folder or file that is swapped while a file tool opens it changes nothing outside the fence.',
      },
    },
  ],
}
