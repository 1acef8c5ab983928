import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { CommandFailed } from './exit-codes.ts'

/** A place where the appliance finds a device. */
export interface OpenWire {
  /** As it stands in a device's address. */
  path: string
  /** Rejects with CommandFailed when the place is gone. */
  lost: Promise<never>
  close(): void
}

type Play = (wire: Duplex) => Promise<void>

/** A TCP port; each connection is a new wire to the same device. Port 0 takes a free one. */
export async function openPort(host: string, port: number, play: Play): Promise<OpenWire> {
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
    void play(socket)
  })
  const lost = Promise.withResolvers<never>()
  lost.promise.catch(() => {})
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ message }) =>
      reject(new CommandFailed('unreachable', `${host}:${port}: ${message}`)),
    )
    server.listen(port, host, resolve)
  })
  const { port: taken } = server.address() as { port: number }
  return {
    path: `tcp://${host}:${taken}`,
    lost: lost.promise,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** A serial line: a pseudo-terminal that socat joins to a port of ours, and a link to it at `path`, or in a new folder. */
export async function openLine(path: string | undefined, play: Play): Promise<OpenWire> {
  const folder = path === undefined ? mkdtempSync(join(tmpdir(), 'nightporter-')) : null
  const link = path ?? join(folder!, 'line')
  const port = await openPort('127.0.0.1', 0, play)
  // Whoever opens the line may close it and come back, so the end of one user is not the end of the line.
  const ends = [`pty,raw,echo=0,ignoreeof,link=${link}`, `tcp:${port.path.slice('tcp://'.length)},nodelay`]
  const socat = spawn('socat', ends, { stdio: ['ignore', 'ignore', 'pipe'] })
  const lost = ended(socat, link)
  lost.catch(() => {})
  const close = () => {
    socat.kill()
    port.close()
    if (folder) rmSync(folder, { recursive: true, force: true })
  }
  try {
    await Promise.race([linked(link), lost])
  } catch (error) {
    close()
    throw error
  }
  return { path: link, lost, close }
}

/** Rejects with the reason when socat ends, or is not installed. */
function ended(socat: ChildProcess, link: string): Promise<never> {
  let said = ''
  socat.stderr!.on('data', (bytes: Buffer) => {
    said = bytes.toString().trim()
  })
  return new Promise((_, reject) => {
    socat.once('error', ({ message }) => {
      const missing = /ENOENT/.test(message)
      const why = missing ? 'pty needs the program socat: apt-get install socat, or use tcp:PORT' : message
      reject(new CommandFailed('missing', why))
    })
    socat.once('exit', () => reject(new CommandFailed('unreachable', `${link}: socat ended. ${said}`)))
  })
}

async function linked(link: string): Promise<void> {
  while (!existsSync(link)) await pause(20)
}
