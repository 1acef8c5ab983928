import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import type { TestContext } from 'node:test'
import { systemClock } from '../../../src/host/clock.ts'
import { programMissing } from '../../programs.ts'

export const noSocat = programMissing('socat')

export interface Pty {
  /** The serial line's path; it is there while it is plugged in. */
  path: string
  plug(): Promise<void>
  unplug(): void
}

/** A serial line at whose other end somebody plays, unplugged at first. Gone when the test is over. */
export async function pty(test: TestContext, play: (wire: Duplex) => Promise<void>): Promise<Pty> {
  const folder = mkdtempSync(join(tmpdir(), 'fias-'))
  const path = join(folder, 'line')
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
    void play(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  let socat: ChildProcess | null = null

  function unplug(): void {
    socat?.kill('SIGKILL')
    socat = null
    rmSync(path, { force: true })
  }

  test.after(() => {
    unplug()
    server.close()
    for (const socket of sockets) socket.destroy()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    path,
    unplug,
    async plug() {
      const ends = [`pty,raw,echo=0,link=${path}`, `tcp:127.0.0.1:${port},nodelay`]
      socat = spawn('socat', ends, { stdio: 'ignore' })
      while (!existsSync(path)) await systemClock.sleep(10)
    },
  }
}
