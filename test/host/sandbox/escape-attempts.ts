// Attempts to get out of the sandbox: shell text that exits with 0 if it got out, and with 99 if a program is missing.
// Variables: OUT a folder outside, WORK the workspace, HOME, STATE and CONFIG rxpi's folders, RUNTIME, PORT, UPID a process
// outside, and the sockets HOST_TMP_SOCK, OUT_SOCK, STATE_SOCK, RUNTIME_SOCK, RUN_SOCK, ABSTRACT.

export interface Attempt {
  readonly name: string
  readonly script: string
}

const unix = (path: string): string =>
  `command -v perl >/dev/null || exit 99; perl -MSocket -e 'socket(S,PF_UNIX,SOCK_STREAM,0)||exit 1;connect(S,sockaddr_un($ARGV[0]))||exit 1' "${path}"`
const syscall = (name: string, x64: number, ...args: readonly (number | string)[]): Attempt => ({
  name: `system call ${name}`,
  script: `[ "$(uname -m)" = x86_64 ] && command -v perl >/dev/null || exit 99; perl -e 'exit(syscall(${[x64, ...args].join(',')}) == -1 ? 1 : 0)'`,
})
const needs = (program: string, script: string): string => `command -v ${program} >/dev/null || exit 99; ${script}`

const files: readonly (readonly [name: string, script: string])[] = [
  ['write outside', 'echo x > "$OUT/canary"'],
  ['append through ..', 'echo x >> "$WORK/../outside/canary"'],
  ['write through a linked folder', 'ln -s "$OUT" l1 && echo x > l1/canary'],
  ['write through a linked file', 'ln -s "$OUT/canary" l2 && echo x > l2'],
  ['write through a chain of links', 'ln -s .. l3 && ln -s l3/outside l4 && echo x > l4/canary'],
  ['hard link into the workspace', 'ln "$OUT/canary" h1 && echo x >> h1'],
  ['hard link into the temporary folder', 'ln "$OUT/canary" /tmp/h2 && echo x >> /tmp/h2'],
  ['write through /proc/self/root', 'echo x > "/proc/self/root$OUT/canary"'],
  ['write through /proc/1/root', 'echo x > "/proc/1/root$OUT/canary"'],
  ['write through /proc/self/cwd', 'echo x > /proc/self/cwd/../outside/canary'],
  ['write through the folder of a descriptor', 'exec 8< "$OUT"; echo x > /proc/self/fd/8/canary'],
  [
    'write through the root of another process',
    'for p in /proc/[0-9]*; do echo x > "$p/root$OUT/canary" && exit 0; done; exit 1',
  ],
  ['remove a file outside', 'rm -f "$OUT/canary"'],
  ['rename a file outside', 'mv "$OUT/canary" "$OUT/other"'],
  ['move a file out', 'echo x > mine && mv mine "$OUT/mine"'],
  ['copy a file out', 'cp /etc/hostname "$OUT/copy"'],
  ['create a folder outside', 'mkdir "$OUT/folder"'],
  ['create a link outside', 'ln -s x "$OUT/link"'],
  ['create a pipe outside', 'mkfifo "$OUT/pipe"'],
  ['change the mode of a file outside', 'chmod 666 "$OUT/canary"'],
  ['change the time of a file outside', 'touch -d 2001-01-01 "$OUT/canary"'],
  ['cut a file outside', 'truncate -s 0 "$OUT/canary"'],
  ['cut a file outside with dd', 'dd if=/dev/zero of="$OUT/canary" bs=1 count=1'],
  ['rename the folder outside', 'mv "$OUT" "$OUT.old"'],
  ['rename the workspace itself', 'mv "$WORK" "$WORK.old"'],
  ['write in /etc', 'echo x > /etc/rxpi-escape'],
  ['write in /usr/local/bin', 'echo x > /usr/local/bin/rxpi-escape'],
  ['write in the root', 'echo x > /rxpi-escape'],
  ['write a start-up file of the home', 'echo x >> "$HOME/.bashrc"'],
  ['create a start-up file of the home', 'echo x > "$HOME/.zshenv"'],
  ['create an entry of autostart', 'mkdir -p "$HOME/.config/autostart" && echo x > "$HOME/.config/autostart/x"'],
  ['a link in /tmp that is swapped while writing', raceScript()],
]

/** Swaps a link between the workspace and the outside while writing through it. */
function raceScript(): string {
  return '(for i in 1 2 3 4 5 6 7 8; do ln -sfn "$WORK" /tmp/r; ln -sfn "$OUT" /tmp/r; done) & for i in 1 2 3 4 5 6 7 8; do echo x > /tmp/r/canary; done; wait; grep -q x "$OUT/canary"'
}

const secrets: readonly (readonly [name: string, script: string])[] = [
  ['read a key of ssh', 'cat "$HOME/.ssh/id_rsa" | grep -q key'],
  ['read a key through a link', 'ln -s "$HOME/.ssh" s1; grep -q key s1/id_rsa'],
  ['read a key through /proc/self/root', 'grep -q key "/proc/self/root$HOME/.ssh/id_rsa"'],
  ['read linked credentials', 'grep -q key "$HOME/dots/aws/credentials" || grep -q key "$HOME/.aws/credentials"'],
  ['read .npmrc', 'grep -q key "$HOME/.npmrc"'],
  ['hard link to a key', 'ln "$HOME/.ssh/id_rsa" s2 && grep -q key s2'],
  ['write a key of ssh', 'echo x > "$HOME/.ssh/authorized_keys"'],
  ['rename the folder of keys', 'mv "$HOME/.ssh" "$HOME/ssh"'],
  ["read rxpi's keys", 'grep -q key "$STATE/auth.json"'],
  ["list rxpi's sessions", 'ls "$STATE" | grep -vx spill | grep -q .'],
  ["write rxpi's settings", 'echo "{}" > "$CONFIG/settings.json"'],
  ["create rxpi's folder anew", 'mv "$CONFIG" "$CONFIG.old"; mkdir -p "$CONFIG" && echo x > "$CONFIG/settings.json"'],
  ['write spilled output', 'echo x >> "$STATE/spill/full.txt"'],
  ['read /etc/shadow', 'grep -q . /etc/shadow'],
  ['find a secret in an environment', 'cat /proc/*/environ | grep -qa "RXPI_TEST_SECRET=v"'],
  [
    'find an agent in the environment',
    '[ -n "$SSH_AUTH_SOCK$DBUS_SESSION_BUS_ADDRESS$RXPI_TEST_SECRET$XDG_RUNTIME_DIR$DOCKER_HOST" ]',
  ],
]

const git: readonly (readonly [name: string, script: string])[] = [
  ['create a hook', 'echo x > .git/hooks/post-checkout'],
  ['replace the folder of hooks', 'mv .git/hooks .git/h && mkdir .git/hooks'],
  ['append to .git/config', 'echo "[alias] st = !x" >> .git/config'],
  ['git config alias', needs('git', 'git config alias.st "!id"')],
  ['git config core.fsmonitor', needs('git', 'git config core.fsmonitor ./x')],
  ['git config core.hooksPath', needs('git', 'git config core.hooksPath evil')],
  ['replace .git/config by renaming', 'cp .git/config c && mv -f c .git/config'],
  ['remove .git/config', 'rm -f .git/config'],
  ['replace .git as a whole', 'mv .git git2 && cp -r git2 .git'],
  ['replace .git by a file', 'rm -rf .git; echo "gitdir: evil" > .git'],
  ['write a target of core.hooksPath', 'echo x > .husky/_/pre-commit'],
  ['replace the folder around it', 'mv .husky .husky2 && mkdir -p .husky/_ && echo x > .husky/_/pre-commit'],
  ['write a hook of a submodule', 'echo x > .git/modules/sub/hooks/post-checkout'],
  ['replace the folder of submodules', 'mv .git/modules .git/m2 && mkdir -p .git/modules/sub/hooks'],
  ['write the configuration of a repository below', 'echo x >> inner/.git/config'],
  ['create .rxpi', 'mkdir -p .rxpi && echo "{}" > .rxpi/settings.json'],
  ['remove .rxpi and create it', 'rmdir .rxpi && mkdir .rxpi'],
  ['rename .rxpi', 'mv .rxpi .rxpi2'],
  ['replace .rxpi by a link', 'ln -sfnT /tmp .rxpi'],
  ['write .envrc', 'echo x >> .envrc'],
  ['replace .envrc', 'mv .envrc e && echo x > .envrc'],
  ['write in .vscode', 'echo x > .vscode/tasks.json'],
  ['write a skill', 'echo x > .claude/skills/x.md'],
  ['replace the folder of skills', 'mv .claude c && mkdir -p .claude/skills && echo x > .claude/skills/x.md'],
]

const privileges: readonly (readonly [name: string, script: string])[] = [
  ['hold a capability', 'grep -qE "^Cap(Eff|Prm|Bnd|Amb):.*[1-9a-f]" /proc/self/status'],
  ['gain rights by setuid', 'grep -q "NoNewPrivs:.0" /proc/self/status'],
  ['run without a filter', 'grep -q "Seccomp:.0" /proc/self/status'],
  ['sudo', needs('sudo', 'sudo -n true')],
  ['unmount what hides the keys', 'umount "$HOME/.ssh" && cat "$HOME/.ssh/id_rsa"'],
  ['unmount /tmp', 'umount -l /tmp'],
  ['remount the root for writing', 'mount -o remount,rw /'],
  ['remount a bind for writing', 'mount -o remount,bind,rw "$WORK/.git/config"'],
  ['bind a folder', 'mkdir -p b; mount --bind "$OUT" b'],
  ['mount a tmpfs', 'mkdir -p b; mount -t tmpfs t b'],
  ['mount /proc anew', 'mkdir -p b; mount -t proc p b'],
  ['chroot', 'chroot / /bin/true'],
  ['user namespace', needs('unshare', 'unshare -Ur true')],
  ['user and mount namespace', needs('unshare', 'unshare -Urm mount --bind "$OUT" /tmp')],
  ['mount namespace', needs('unshare', 'unshare -m true')],
  ['network namespace', needs('unshare', 'unshare -n true')],
  ['a sandbox in the sandbox', needs('bwrap', 'bwrap --dev-bind / / true')],
  ['enter the namespaces of process 1', needs('nsenter', 'nsenter -t 1 -m true && echo x > "$OUT/canary"')],
  ['create a block device', 'mknod d1 b 8 0'],
  ['create /dev/mem', 'mknod d2 c 1 1 && head -c 1 d2'],
  ['read /dev/mem', 'head -c 1 /dev/mem'],
  ['read /dev/kmsg', 'timeout 1 head -c 1 /dev/kmsg'],
  ['find a disk', 'ls /dev/sd* /dev/vd* /dev/nvme* /dev/loop*'],
  ['write core_pattern', 'cat /proc/sys/kernel/core_pattern > /proc/sys/kernel/core_pattern'],
  ['write another setting of the kernel', 'cat /proc/sys/vm/swappiness > /proc/sys/vm/swappiness'],
  ['press sysrq', 'echo h > /proc/sysrq-trigger'],
  ['write uevent_helper', 'echo > /sys/kernel/uevent_helper'],
  ['write in /sys', 'for f in /sys/kernel/mm/*/*; do [ -f "$f" ] && cat "$f" > "$f" && exit 0; done; exit 1'],
  [
    'release_agent of a cgroup',
    'for f in /sys/fs/cgroup/release_agent /sys/fs/cgroup/*/release_agent; do echo > "$f" && exit 0; done; exit 1',
  ],
  ['create a cgroup', 'mkdir /sys/fs/cgroup/rxpi-x || mkdir /sys/fs/cgroup/memory/rxpi-x'],
  ['change the host name', 'hostname rxpi-escape && [ "$(cat /proc/1/root/etc/hostname)" = rxpi-escape ]'],
  ['raise the limit of processes', 'ulimit -u 100000'],
]

const processes: readonly (readonly [name: string, script: string])[] = [
  ['signal a process outside', '[ "$UPID" -gt 300 ] || exit 99; kill -0 "$UPID"'],
  ['read the environment of a process outside', '[ "$UPID" -gt 300 ] || exit 99; head -c 1 "/proc/$UPID/environ"'],
  [
    'see processes outside',
    'for p in /proc/[0-9]*; do [ "${p#/proc/}" -gt 2000 ] && exit 0; done; grep -qa "vite[s]t" /proc/[0-9]*/cmdline',
  ],
  ['use the terminal', 'exec 7<>/dev/tty'],
  [
    'use an inherited descriptor',
    'for f in /proc/self/fd/*; do n=${f##*/}; [ "$n" -gt 2 ] && [ "$n" -ne 255 ] && [ -e "$f" ] && exit 0; done; exit 1',
  ],
  [
    'write outside by a library that each program loads',
    needs(
      'cc',
      `printf '#include <stdio.h>\\n#include <stdlib.h>\\n__attribute__((constructor)) void f(void){FILE*o=fopen(getenv("L"),"w");if(o)fputs("x",o);}' > /tmp/x.c && cc -shared -fPIC -o /tmp/x.so /tmp/x.c && L=/tmp/inside LD_PRELOAD=/tmp/x.so /bin/true && [ -s /tmp/inside ] || exit 99; L="$OUT/preloaded" LD_PRELOAD=/tmp/x.so /bin/true; [ -e "$OUT/preloaded" ]`,
    ),
  ],
  [
    'run a program from memory that writes outside',
    needs(
      'perl',
      `[ "$(uname -m)" = x86_64 ] || exit 99; perl -e 'my $n="x\\0"; my $fd=syscall(319,$n,0); exit 1 if $fd<0; open(my $o,">&=",$fd); open(my $i,"<","/bin/sh"); local $/; print $o <$i>; $o->flush; exec {"/proc/$$/fd/$fd"} "sh","-c","echo x > \\"$ENV{OUT}/canary\\""'`,
    ),
  ],
]

const network: readonly (readonly [name: string, script: string])[] = [
  ['a server on the loopback', ': < "/dev/tcp/127.0.0.1/$PORT"'],
  ['a server on the loopback, IPv6', ': < "/dev/tcp/::1/$PORT"'],
  ['an address in the internet', 'timeout 2 bash -c ": < /dev/tcp/1.1.1.1/443"'],
  ['an IPv6 address in the internet', 'timeout 2 bash -c ": < /dev/tcp/2606:4700:4700::1111/443"'],
  ['UDP', 'echo x > /dev/udp/1.1.1.1/53'],
  ['the service of cloud metadata', 'timeout 2 bash -c ": < /dev/tcp/169.254.169.254/80"'],
  ['names', 'timeout 2 getent hosts example.com'],
  ['another network card', 'grep -vE "lo:|Inter|face" /proc/net/dev | grep -q :'],
  [
    'from the background',
    '(sleep 0.05; : < "/dev/tcp/127.0.0.1/$PORT" && touch /tmp/connected) & wait; [ -e /tmp/connected ]',
  ],
  [
    'an abstract Unix socket',
    needs(
      'perl',
      `perl -MSocket -e 'socket(S,PF_UNIX,SOCK_STREAM,0)||exit 1;connect(S,pack("Sa*",1,"\\0$ENV{ABSTRACT}"))||exit 1'`,
    ),
  ],
  ['a Unix socket in /tmp', unix('$HOST_TMP_SOCK')],
  ['a Unix socket in a folder that can be read', unix('$OUT_SOCK')],
  ['the socket of rxpi', unix('$STATE_SOCK')],
  ['a socket of the runtime folder', unix('$RUNTIME_SOCK')],
  ['a socket in /run', `[ -n "$RUN_SOCK" ] || exit 99; ${unix('$RUN_SOCK')}`],
  ['a socket through /proc/self/root', unix('/proc/self/root$OUT_SOCK')],
  ['the socket of docker', `[ -S /run/docker.sock ] || [ -S /var/run/docker.sock ]`],
]

const calls: readonly Attempt[] = [
  syscall('keyctl', 250, 0, -3, 0),
  syscall('add_key', 248, '"user"', '"x"', '"y"', 1, -3),
  syscall('io_uring_setup', 425, 1, '"\\0" x 200'),
  syscall('bpf', 321, 0, '"\\0" x 64', 64),
  syscall('userfaultfd', 323, 1),
  syscall('perf_event_open', 298, '"\\0" x 128', 0, -1, -1, 0),
  syscall('setns', 308, 0, 0),
  syscall('unshare of a user namespace', 272, 0x10000000),
  syscall('clone of a user namespace', 56, 0x10000000 + 17, 0, 0, 0, 0),
  syscall('open_by_handle_at', 304, -100, '"\\0" x 64', 0),
  syscall('socket of the virtual machine', 41, 40, 1, 0),
  syscall('socket of packets', 41, 17, 3, 768),
  syscall('raw socket', 41, 2, 3, 1),
  syscall('ptrace of a process outside', 101, 16, '$ENV{UPID}+0', 0, 0),
  syscall('mount', 165, '"t"', '"/tmp"', '"tmpfs"', 0, '""'),
  syscall('fsopen', 430, '"tmpfs"', 0),
  {
    name: 'typing into a terminal (TIOCSTI)',
    script: needs('perl', typingScript()),
  },
]

/** Types into its own new terminal, which no other rule than the filter forbids; the kernel may lack the call (EIO). */
function typingScript(): string {
  const lines = [
    'use POSIX; open(my $m,"+<","/dev/ptmx") or exit 99; my $zero=pack("i",0); ioctl($m,0x40045431,$zero) or exit 99;',
    'my $n=pack("i",0); ioctl($m,0x80045430,$n) or exit 99; my $pid=fork; if(!$pid){ POSIX::setsid();',
    'open(my $t,"+<","/dev/pts/".unpack("i",$n)) or POSIX::_exit(99); ioctl($t,0x540e,0); my $c="x";',
    'my $ok=ioctl($t,0x5412,$c); POSIX::_exit($ok || $!==POSIX::EIO ? 0 : 1) } waitpid($pid,0); exit($?>>8)',
  ]
  return `perl -e '${lines.join(' ')}'`
}

const named = (group: string, attempts: readonly (readonly [name: string, script: string])[]): readonly Attempt[] =>
  attempts.map(([name, script]) => ({ name: `${group}: ${name}`, script }))

export const attempts: readonly Attempt[] = [
  ...named('files', files),
  ...named('secrets', secrets),
  ...named('git', git),
  ...named('rights', privileges),
  ...named('processes', processes),
  ...named('network', network),
  ...calls.map(({ name, script }) => ({ name: `kernel: ${name}`, script })),
]
