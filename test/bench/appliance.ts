import { type ServerProcess, serverProcess } from './server-process.ts'

export const programs = {
  source: new URL('../../src/nightporter.js', import.meta.url),
  bundled: new URL('../../dist/nightporter.js', import.meta.url),
}

/** The options of Node with which systemd starts the program. */
export const nodeOptions = ['--min-semi-space-size=4', '--max-semi-space-size=8', '--no-parallel-scavenge']

/** Its environment there: glibc gives large pieces of memory back at once. */
const environment = { MALLOC_MMAP_THRESHOLD_: '1048576' }

/** The real program on a free port. */
export function appliance(
  data: string,
  { program = programs.source, env = {} }: { program?: URL; env?: Record<string, string> | undefined } = {},
): Promise<ServerProcess> {
  const args = ['serve', '--listen', '127.0.0.1:0', '--data', data, '--log-level', 'silent']
  return serverProcess(program, args, { ...environment, ...env }, nodeOptions)
}
