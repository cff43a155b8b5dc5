// Cases of the log: the file, crashes, damage.
import type { Section } from './chapter.ts'

export const protocolLog: readonly Section[] = [
  {
    id: 'LOG',
    about: 'The file of a session.',
    cases: {
      'LOG-path':
        'The file is in the state folder, in a folder named after the working folder; its name has time and id.',
      'LOG-modes': 'Folders are 0700 and files 0600, whatever the umask.',
      'LOG-header': 'Line 1 is a sealed header.',
      'LOG-seq': 'Each durable event is a line, numbered from 1 without a hole.',
      'LOG-crc': 'The checksum comes last and is CRC-32 of all before it.',
      'LOG-tree': 'The entries of a file form a tree; the files form a tree too.',
      'LOG-checkpoint': 'Pieces of an open answer are written, joined, 250 ms after the first one or at 16 KiB.',
      'LOG-unfinished': 'An unfinished answer can be rebuilt from its checkpoints.',
      'LOG-hidden': 'Checkpoints have no number and reach no client.',
      'LOG-written': 'Data that a client received is written: it survives kill -9.',
      'LOG-durable': 'Data behind an `ok` is synced: it survives a power cut.',
      'LOG-sync': 'A sync starts at the end of a message, a turn or a run; all waiting requests share it.',
      'LOG-partial': 'A partly written line is removed before the next one.',
      'LOG-full': 'On a full disk a command is answered `storage` with the reason, and starts nothing.',
      'LOG-retry':
        'A failed write is retried every second: clients that only watch get the end of the run once there is space.',
      'LOG-failed_sync': 'After a failed sync the log takes no line, and the sync is never repeated.',
      'LOG-bounded': 'Syncs are bounded.',
      'LOG-torn': 'A torn end is cut off, stored beside the file, and reported.',
      'LOG-completed': 'A last line that lacks only its line feed is completed.',
      'LOG-damage': 'A damaged line, a hole or another major version makes the session read-only, with the line.',
      'LOG-never_silent': 'No byte can be lost or changed without a report.',
      'LOG-repair': 'A repaired copy keeps every good line and names what is lost.',
      'LOG-verified':
        'Lines that the opening did not read are verified later; damage found then stops the writing at the end of the run.',
      'LOG-recovery':
        'Recovery closes an open run: its answer is aborted, its calls have results, its end is `crashed`.',
      'LOG-queued': 'Queued inputs stay queued and start nothing.',
      'LOG-blobs': 'Images and results above 64 KiB are beside the log, under their hash.',
      'LOG-lock': 'One process writes; a second one gets the name and socket of the holder.',
      'LOG-lock_content':
        'The lock is `<log>.lock`, private, with the pid, start time and boot of its process, and its socket.',
      'LOG-dead_lock': 'Exactly one process takes over the lock of a dead holder.',
      'LOG-follow': 'A second process can follow, and refuses commands that write.',
      'LOG-bytes': 'Lines are complete, also on a full disk and with short writes.',
    },
  },
]
