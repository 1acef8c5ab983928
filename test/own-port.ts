import { createServer } from 'node:net'

/** Below the ports that the system gives to whoever asks for any. */
const [first, count] = [12_000, 20_000]
/** Processes at the same time have neighbouring numbers, and their ports lie far apart. */
const apart = 7_919
let given = 0

/**
 * A port of this machine for somebody who must know it beforehand, or comes back to it. The system gives it to nobody else
 * meanwhile, as it does with a port that was free a moment ago.
 */
export async function ownPort(): Promise<number> {
  for (;;) {
    const port = first + ((process.pid * apart + given++) % count)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
