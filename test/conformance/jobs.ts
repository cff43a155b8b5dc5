// The promises of background jobs.
import type { Section } from './chapter.ts'

export const jobs: readonly Section[] = [
  {
    id: 'JOBS',
    about: 'Background jobs, and a shell that continues.',
    cases: {
      'JOBS-end':
        'The end of a job starts no run. The model reads it with the next request, once, unless a call of its own has shown it.',
      'JOBS-output': '`job_output` reads by id and offset, and waits no longer than the call says.',
      'JOBS-kill': '`job_kill`, `kill_job` and the time limit of a job end it and all that it started.',
      'JOBS-session': 'A job outlives its call and its run, also an aborted one, and ends with its session.',
      'JOBS-pty':
        'Only a job in a terminal takes input. It ends like any job; without the package @lydell/node-pty it is refused with that name.',
      'JOBS-terminal': 'A foreground command that wants a terminal fails at once, and names pty.',
      'JOBS-limit': 'At most 16 jobs of a session run; one more is refused with words.',
      'JOBS-print': '`rxpi -p` ends the jobs of its run, and names each on stderr.',
      'JOBS-persist':
        'With bash.persist a command or job begins in the folder and with the exported variables of the command before, and is judged there.',
      'JOBS-lost': 'Opening a log closes the job of a killed process by `job_lost`.',
    },
  },
]
