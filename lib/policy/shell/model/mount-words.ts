// Reads the bind mounts among the options of `docker run`: `-v SOURCE:TARGET` and `--mount`.

export interface MountWords {
  /** A folder of this machine, absolute or relative; named volumes are left out. */
  readonly source: string
  readonly target: string
}

export function mountWords(options: readonly string[]): readonly MountWords[] {
  return options.flatMap((word, index) => {
    const volume = valueOf(word, options[index + 1], /^(?:-v|--volume)$/, /^(?:-v=?|--volume=)(.+)$/)
    if (volume !== undefined) return pairOf(volume.split(':'))
    const mount = valueOf(word, options[index + 1], /^--mount$/, /^--mount=(.+)$/)
    return mount === undefined ? [] : pairOf([field(mount, 'source|src'), field(mount, 'target|destination|dst')])
  })
}

function valueOf(word: string, next: string | undefined, alone: RegExp, joined: RegExp): string | undefined {
  return alone.test(word) ? next : joined.exec(word)?.[1]
}

function pairOf([source = '', target = '']: readonly string[]): readonly MountWords[] {
  return /^[A-Za-z0-9][\w.-]*$/.test(source) || target === '' ? [] : [{ source, target }]
}

function field(mount: string, names: string): string {
  return new RegExp(`(?:^|,)(?:${names})=([^,]*)`).exec(mount)?.[1] ?? ''
}
