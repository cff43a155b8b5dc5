// The file of a session, what survives, and what is told of damage.
import type { Section } from './chapter.ts'

export const protocolLog: readonly Section[] = [
  {
    id: 'LOG',
    about: 'The file of a session.',
    cases: {
      'LOG-path':
        'It lies below the state folder, in a folder named after the working folder, and is named after time and id.',
      'LOG-modes': 'Folders are 0700 and files 0600, whatever the umask.',
      'LOG-header': 'Line 1 is a sealed header.',
      'LOG-seq': 'Each durable event is a line, numbered from 1 without a hole.',
      'LOG-crc': 'The checksum comes last and is CRC-32 of all before it.',
      'LOG-tree': 'Entries are a tree within the file, and files one among themselves.',
      'LOG-checkpoint':
        'While an answer streams, what was not written yet is, joined, 250 ms after its first piece or at 16 KiB.',
      'LOG-unfinished': 'An unfinished answer can be built again from its checkpoints.',
      'LOG-hidden': 'Checkpoints have no number and reach no client.',
      'LOG-written': 'What a client has seen is written: it survives kill -9.',
      'LOG-durable': 'What is answered `ok` is synced: it survives a power cut.',
      'LOG-sync': 'Syncs are started where a message, a turn or a run ends, and shared by all that wait.',
      'LOG-partial': 'A line that was written in part is undone before the next one.',
      'LOG-failed_sync': 'After a sync that failed the log takes no line, and the sync is never tried again.',
      'LOG-bounded': 'Syncs are bounded.',
      'LOG-torn': 'A torn end is cut off, kept beside the file, and told.',
      'LOG-completed': 'A last line that lacks nothing but its line feed is completed.',
      'LOG-damage': 'A damaged line, a hole or another major version makes the session read-only, with the line.',
      'LOG-never_silent': 'No byte can be lost or turned without a word.',
      'LOG-repair': 'A repaired copy keeps every good line and names what is lost.',
      'LOG-verified':
        'What opening did not read is verified afterwards; damage found then ends the writing when the run ends.',
      'LOG-recovery': 'An open run is closed: its answer aborted, its calls with results, its end `crashed`.',
      'LOG-queued': 'What was queued is still queued, and starts nothing.',
      'LOG-blobs': 'Images and results over 64 KiB lie beside the log under their hash.',
      'LOG-lock': 'One process writes; a second is told who holds it, and where.',
      'LOG-dead_lock': 'A dead holder’s lock is taken over, by one of many.',
      'LOG-follow': 'A second process may follow, and takes no command that writes.',
      'LOG-bytes': 'Lines are whole, also where the disk is full and where writes take a few bytes.',
    },
  },
]
