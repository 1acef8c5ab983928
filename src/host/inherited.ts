/** What the service manager passed to this process as open files. */
export interface Inherited {
  /** The listening sockets of socket units, in their order. */
  sockets: readonly number[]
  /** The connected socket for messages to the service manager; null without one. */
  notify: number | null
}

/** The first file descriptor that is passed, as sd_listen_fds(3) says. */
const first = 3

/**
 * Returns the file descriptors that systemd passed, and removes them from the environment, so that no child takes them for its
 * own. Those of another process are not for this one.
 */
export function inherited(
  environment: NodeJS.ProcessEnv = process.env,
  pid: number = process.pid,
): Inherited {
  const { LISTEN_PID, LISTEN_FDS, LISTEN_FDNAMES = '' } = environment
  for (const name of ['LISTEN_PID', 'LISTEN_FDS', 'LISTEN_FDNAMES']) delete environment[name]
  const count = Number(LISTEN_FDS)
  if (Number(LISTEN_PID) !== pid || !Number.isInteger(count) || count <= 0)
    return { sockets: [], notify: null }
  const names = LISTEN_FDNAMES.split(':')
  const passed = Array.from({ length: count }, (_, at) => ({ fd: first + at, name: names[at] }))
  return {
    sockets: passed.filter(({ name }) => name !== 'notify').map(({ fd }) => fd),
    notify: passed.find(({ name }) => name === 'notify')?.fd ?? null,
  }
}
